package io.sluice.relay.cli;

import io.sluice.program.PrerequisiteException;
import io.sluice.program.cli.ExitCode;
import io.sluice.program.cli.ProgramLine;
import io.sluice.relay.RelayStartException;
import java.util.Map;
import picocli.CommandLine;

/** The relay as a program; its exit codes are those of {@link ExitCode}. */
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
    public static int run(Map<String, String> environment, String... args) {
        return commandLine(environment).execute(args);
    }

    /** The command line, reporting failures as this program does. */
    public static CommandLine commandLine(Map<String, String> environment) {
        return ProgramLine.of(
                new RelayCommand(environment).commandLine(),
                RelayCommand.settingsText(),
                failure -> failure instanceof RelayStartException || failure instanceof PrerequisiteException);
    }
}
