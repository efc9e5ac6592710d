package io.sluice.program.cli;

import io.sluice.program.setting.SettingsException;
import java.io.PrintWriter;
import java.util.function.Predicate;
import picocli.CommandLine;

/** Command lines that end with the exit codes of {@link ExitCode} and tell failures in few lines. */
public final class ProgramLine {
    private static final String LOG = "io/sluice/program/logback.xml";

    private ProgramLine() {}

    /** Chooses the log that the programs ship, unless somebody chose another. Not for embedding. */
    public static void chooseLog() {
        if (System.getProperty("logback.configurationFile") == null) {
            System.setProperty("logback.configurationFile", LOG);
        }
    }

    /**
     * Completes a command line.
     *
     * @param settings what the settings are, shown below the usage
     * @param isOfStart whether a failure means that something that the program needs is not there; its message is told
     *     without a stack trace
     */
    public static CommandLine of(CommandLine commandLine, String settings, Predicate<Throwable> isOfStart) {
        commandLine.getCommandSpec().usageMessage().footer(settings.lines().toArray(String[]::new));
        return commandLine
                .setParameterExceptionHandler((failure, arguments) -> {
                    CommandLine command = failure.getCommandLine();
                    PrintWriter err = command.getErr();
                    err.println("For help: " + command.getCommandSpec().qualifiedName() + " --help");
                    err.println(failure.getMessage());
                    err.flush();
                    return ExitCode.SETTINGS;
                })
                .setExitCodeExceptionMapper(failure -> exitCode(failure, isOfStart))
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    int code = exitCode(failure, isOfStart);
                    report(command.getErr(), failure, code);
                    return code;
                });
    }

    private static void report(PrintWriter err, Exception failure, int code) {
        if (failure instanceof SettingsException faulty) {
            err.println("The configuration has faults:");
            faulty.faults().forEach(fault -> err.println("  " + fault));
        } else if (code == ExitCode.START) {
            err.println(failure.getMessage());
        } else {
            failure.printStackTrace(err);
        }
        err.flush();
    }

    private static int exitCode(Throwable failure, Predicate<Throwable> isOfStart) {
        if (failure instanceof SettingsException || failure instanceof CommandLine.ParameterException) {
            return ExitCode.SETTINGS;
        }
        return isOfStart.test(failure) ? ExitCode.START : ExitCode.OTHER;
    }
}
