package io.sluice.relay.cli;

import io.sluice.program.PrerequisiteException;
import io.sluice.program.cli.CheckTimeout;
import io.sluice.program.cli.ExitCode;
import io.sluice.program.http.OpsPort;
import io.sluice.program.http.OpsServer;
import io.sluice.program.setting.SettingsException;
import io.sluice.relay.RelayStartException;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.runtime.RelayConnections;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tells what keeps a relay from starting, on the command line. */
@Command(
        name = "check",
        description =
                "Checks settings, container and topics, and reports how the container differs from the expected one."
                        + " Without --fix it ends within --timeout and the 3 s of its own start.")
final class CheckCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--fix",
            description =
                    "Create missing containers and topics, and let receipts expire; otherwise nothing is changed. What"
                            + " hangs ends it within SLUICE_START_TIMEOUT.")
    private boolean fix;

    @Mixin
    private final CheckTimeout timeout = new CheckTimeout();

    private final Supplier<RelayConfig> config;

    /** Reads the configuration only when the command runs. */
    CheckCommand(Supplier<RelayConfig> config) {
        this.config = config;
    }

    @Override
    public Integer call() throws InterruptedException {
        var limit = timeout.limit();
        var given = config.get();
        checkPort(given.operations().http());
        if (fix) {
            // In connections of its own: a store knows its container as it was when the store was opened.
            RelayCommand.withConnections(given, this::fix);
        }
        try {
            RelayConnections.check(given, limit).forEach(out()::println);
        } catch (PrerequisiteException e) {
            throw RelayStartException.of(e);
        }
        out().println("all is well");
        return ExitCode.DONE;
    }

    private void fix(RelayConnections connections) {
        connections.prerequisites().requireTransactions();
        connections.prepare(true);
        if (connections.feed().switchExpiryOn()) {
            out().println("fixed: the container's defaultTtl is -1 now");
        }
    }

    /**
     * Opens the port for a moment, so that what run would refuse of it is known before; a relay that runs here may have
     * it.
     */
    private void checkPort(OpsPort http) throws InterruptedException {
        try {
            OpsServer.check(http);
        } catch (PrerequisiteException e) {
            // Without a cause it is the settings' own fault, not that the port is taken.
            if (e.getCause() == null || !findsRelayAt(http)) {
                throw new SettingsException(List.of(String.valueOf(e.getMessage())));
            }
            out().println("warning: a relay runs here already and has port " + http.port());
        }
    }

    private static boolean findsRelayAt(OpsPort http) throws InterruptedException {
        var at = URI.create("http://" + http.host() + ":" + http.port() + "/health/live");
        try {
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(at).timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofString())
                    .body()
                    .startsWith("{\"well\":");
        } catch (IOException e) {
            return false;
        }
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
