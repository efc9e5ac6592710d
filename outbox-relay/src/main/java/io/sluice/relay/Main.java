package io.sluice.relay;

import java.util.Map;
import picocli.CommandLine;

/**
 * The relay as a program. Exit codes: 0 done, or drained after SIGTERM; 2 the configuration or the command line is
 * wrong; 3 Cosmos, Kafka or a relay can't be reached, or refuse at start; 1 not done, or anything else.
 */
public final class Main {
    static final int DONE = 0;
    static final int OTHER = 1;
    static final int CONFIGURATION = 2;
    static final int START = 3;

    private Main() {}

    public static void main(String[] args) {
        // Only here: an application that embeds the relay has a logging configuration of its own.
        if (System.getProperty("logback.configurationFile") == null) {
            System.setProperty("logback.configurationFile", "io/sluice/relay/logback.xml");
        }
        int code = run(System.getenv(), args);
        if (code != DONE) {
            System.exit(code);
        }
    }

    /** Runs a command in an environment and returns its exit code. */
    static int run(Map<String, String> environment, String... args) {
        return commandLine(environment).execute(args);
    }

    /** The command line, reporting failures as this program does. */
    static CommandLine commandLine(Map<String, String> environment) {
        var commandLine = new RelayCommand(environment).commandLine();
        commandLine
                .getCommandSpec()
                .usageMessage()
                .footer(RelayCommand.settingsText().lines().toArray(String[]::new));
        return commandLine
                .setParameterExceptionHandler((failure, arguments) -> {
                    var command = failure.getCommandLine();
                    var err = command.getErr();
                    err.println("For help: " + command.getCommandSpec().qualifiedName() + " --help");
                    err.println(failure.getMessage());
                    err.flush();
                    return CONFIGURATION;
                })
                .setExitCodeExceptionMapper(Main::exitCode)
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    report(command, failure);
                    return exitCode(failure);
                });
    }

    private static void report(CommandLine command, Exception failure) {
        var err = command.getErr();
        if (failure instanceof RelayConfigException faulty) {
            err.println("The configuration has faults:");
            faulty.faults().forEach(fault -> err.println("  " + fault));
        } else if (failure instanceof RelayStartException) {
            err.println("The relay can't start: " + failure.getMessage());
        } else {
            failure.printStackTrace(err);
        }
        err.flush();
    }

    private static int exitCode(Throwable failure) {
        if (failure instanceof RelayConfigException || failure instanceof CommandLine.ParameterException) {
            return CONFIGURATION;
        }
        return failure instanceof RelayStartException ? START : OTHER;
    }
}
