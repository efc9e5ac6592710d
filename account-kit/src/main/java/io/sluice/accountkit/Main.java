package io.sluice.accountkit;

import com.azure.cosmos.CosmosException;
import io.sluice.program.PrerequisiteException;
import io.sluice.program.cli.ExitCode;
import io.sluice.program.cli.ProgramLine;
import io.sluice.provider.ProviderException;
import java.io.InputStream;
import java.util.Map;
import picocli.CommandLine;

/** The kit as a program; its exit codes are those of {@link ExitCode}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        ProgramLine.chooseLog();
        int code = commandLine(System.getenv(), System.in).execute(args);
        if (code != ExitCode.DONE) {
            System.exit(code);
        }
    }

    static CommandLine commandLine(Map<String, String> environment, InputStream in) {
        return ProgramLine.of(
                new CommandLine(new KitCommand(environment, in)), KitCatalog.settingsText(), Main::isOfStart);
    }

    private static boolean isOfStart(Throwable failure) {
        return failure instanceof ProviderException
                || failure instanceof PrerequisiteException
                || failure instanceof CosmosException;
    }
}
