package io.sluice.connect;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * What an operator does with configurations: check them, make the containers the sinks write to, hand them to a Connect
 * worker. Exit codes: 0 done; 1 not done, with the reasons; 2 the command line is wrong.
 */
@Command(
        name = "sluice-connect-config",
        description = "Checks configurations of the Azure Cosmos connector, and puts them to work.",
        mixinStandardHelpOptions = true,
        subcommands = CheckCommand.class)
public final class Main {
    static final int DONE = 0;
    static final int NOT_DONE = 1;

    private Main() {}

    public static void main(String[] args) {
        if (System.getProperty("logback.configurationFile") == null) {
            System.setProperty("logback.configurationFile", "io/sluice/connect/logback.xml");
        }
        System.exit(commandLine(System.getenv()).execute(args));
    }

    /** The command line, in an environment. */
    static CommandLine commandLine(Map<String, String> environment) {
        return new CommandLine(new Main())
                .addSubcommand(new ApplyCommand(environment))
                .addSubcommand(new ContainersCommand(environment))
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    String message = failure.getMessage();
                    command.getErr().println(message == null ? failure.toString() : message);
                    return NOT_DONE;
                });
    }

    /** Prints every fault of these configurations, and says whether there was none. */
    static boolean allWell(List<ConnectorFile> files, CommandLine command) {
        boolean well = true;
        for (var file : files) {
            for (var fault : ConnectorCheck.faultsOf(file.config())) {
                command.getErr().println(file.path() + ": " + fault.key() + " " + fault.complaint());
                well = false;
            }
        }
        return well;
    }

    /** The configurations in these files and folders. */
    static List<ConnectorFile> read(List<Path> paths) {
        var files = ConnectorFile.in(paths);
        if (files.isEmpty()) {
            throw new IllegalArgumentException("no configuration in " + paths);
        }
        return files;
    }
}
