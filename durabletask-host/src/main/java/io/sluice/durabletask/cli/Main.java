package io.sluice.durabletask.cli;

import io.sluice.durabletask.HostException;
import io.sluice.program.PrerequisiteException;
import io.sluice.program.cli.ExitCode;
import io.sluice.program.cli.ProgramLine;
import io.sluice.provider.ProviderException;
import java.util.Map;
import picocli.CommandLine;

/** The host as a program; its exit codes are those of {@link ExitCode}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        ProgramLine.chooseLog();
        int code = run(System.getenv(), args);
        if (code != ExitCode.DONE) {
            System.exit(code);
        }
    }

    /** Runs a command in an environment and returns its exit code. */
    static int run(Map<String, String> environment, String... args) {
        return commandLine(environment).execute(args);
    }

    static CommandLine commandLine(Map<String, String> environment) {
        return ProgramLine.of(new HostCommand(environment).commandLine(), HostCommand.settingsText(), Main::isOfStart);
    }

    private static boolean isOfStart(Throwable failure) {
        return failure instanceof ProviderException
                || failure instanceof HostException
                || failure instanceof PrerequisiteException;
    }
}
