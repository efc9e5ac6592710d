package io.sluice.connect;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Hands configurations to a Connect worker, and waits until their tasks run. */
@Command(
        name = "apply",
        description = {
            "Makes or changes the connectors of these configurations in a Connect worker, and waits until all of their tasks run.",
            "A worker that asks for a password gets SLUICE_CONNECT_USER and SLUICE_CONNECT_PASSWORD of the environment."
        })
final class ApplyCommand implements Callable<Integer> {
    private final Map<String, String> environment;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--url",
            required = true,
            description = "the worker's REST interface, such as http://localhost:8083")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private URI url;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "in place of what the files say, such as azure.cosmos.mode.gateway=true for an emulator")
    private Map<String, String> keys = Map.of();

    @Option(names = "--timeout", paramLabel = "SECONDS", description = "how long to wait, 120")
    private int seconds = 120;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "configurations, or folders with them")
    private List<Path> paths = List.of();

    ApplyCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws InterruptedException {
        var files = Main.read(paths).stream().map(file -> file.with(keys)).toList();
        if (!Main.allWell(files, spec.commandLine())) {
            return Main.NOT_DONE;
        }
        mustBeDistinct(files);
        var worker = new WorkerClient(WorkerAddress.of(url, environment));
        List<WorkerClient.Put> made = new ArrayList<>();
        boolean well = true;
        for (var file : files) {
            var put = worker.put(file);
            if (put.refusal().isEmpty()) {
                made.add(put);
            } else {
                spec.commandLine().getErr().println(file.name() + ": " + put.refusal());
                well = false;
            }
        }
        long deadline = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        for (var put : made) {
            var state = worker.awaitRunning(put, deadline);
            var to = state.isRunning()
                    ? spec.commandLine().getOut()
                    : spec.commandLine().getErr();
            to.println(put.name() + ": " + state.words());
            well &= state.isRunning();
        }
        return well ? Main.DONE : Main.NOT_DONE;
    }

    /** The second would change what the first has just made. */
    private static void mustBeDistinct(List<ConnectorFile> files) {
        Map<String, Path> paths = new HashMap<>();
        for (var file : files) {
            var other = paths.put(file.name(), file.path());
            if (other != null) {
                throw new IllegalArgumentException(
                        other + " and " + file.path() + " are both for the connector " + file.name());
            }
        }
    }
}
