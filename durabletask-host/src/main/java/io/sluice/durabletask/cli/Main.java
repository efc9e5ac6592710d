package io.sluice.durabletask.cli;

import io.sluice.durabletask.HostException;
import io.sluice.provider.ProviderException;
import java.util.Map;
import picocli.CommandLine;

/** The host as a program; its exit codes are in the help of {@link HostCommand}. */
public final class Main {
    static final int DONE = 0;
    static final int OTHER = 1;
    static final int SETTINGS = 2;
    static final int START = 3;

    private Main() {}

    public static void main(String[] args) {
        // Only here: an application that embeds the host has a logging configuration of its own.
        if (System.getProperty("logback.configurationFile") == null) {
            System.setProperty("logback.configurationFile", "io/sluice/durabletask/logback.xml");
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

    static CommandLine commandLine(Map<String, String> environment) {
        CommandLine commandLine = new CommandLine(new HostCommand(environment));
        commandLine
                .getCommandSpec()
                .usageMessage()
                .footer(HostCommand.settingsText().lines().toArray(String[]::new));
        return commandLine
                .setExitCodeExceptionMapper(Main::exitCode)
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().println(failure.getMessage());
                    command.getErr().flush();
                    if (exitCode(failure) == OTHER) {
                        failure.printStackTrace(command.getErr());
                    }
                    return exitCode(failure);
                });
    }

    private static int exitCode(Throwable failure) {
        if (failure instanceof SettingsException || failure instanceof CommandLine.ParameterException) {
            return SETTINGS;
        }
        return failure instanceof ProviderException || failure instanceof HostException ? START : OTHER;
    }
}
