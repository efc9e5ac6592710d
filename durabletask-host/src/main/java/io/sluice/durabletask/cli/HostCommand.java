package io.sluice.durabletask.cli;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.durabletask.DurableTaskHost;
import io.sluice.durabletask.http.OpsServer;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.cosmos.StoreVariable;
import java.io.PrintWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command line. */
@Command(
        name = "sluice-durabletask-host",
        description = "Hosts orchestrations of DurableTask SDKs in containers of Azure Cosmos DB.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        version = "0.1.0-SNAPSHOT",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done, or drained after SIGTERM",
            "1:any other failure",
            "2:the settings or the command line are wrong",
            "3:Cosmos can't be reached or refuses, or a port is in use"
        })
final class HostCommand {
    private static final int NO_PORT = -1;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private final Map<String, String> environment;

    HostCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Command(name = "serve", description = "Serves SDKs until SIGTERM, which gives back what workers have in hand.")
    int serve() throws InterruptedException {
        HostSettings settings = HostSettings.of(environment);
        CountDownLatch stop = new CountDownLatch(1);
        CompletableFuture<Integer> end = new CompletableFuture<>();
        Thread hook = new Thread(() -> drain(stop, end), "sluice-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            serve(settings, stop);
            end.complete(Main.DONE);
        } finally {
            end.complete(Main.OTHER);
            remove(hook);
        }
        return Main.DONE;
    }

    private void serve(HostSettings settings, CountDownLatch stop) throws InterruptedException {
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (Stores stores = Stores.open(settings, meters);
                DurableTaskHost host = DurableTaskHost.start(
                        stores.providers(), settings.host().withMeters(meters));
                @Nullable OpsServer ops = ops(settings, host, meters)) {
            out().println("serving DurableTask SDKs at " + settings.host().address() + ":" + host.port()
                    + (ops == null ? "" : ", operators at " + settings.opsAddress() + ":" + ops.port()));
            out().flush();
            stop.await();
        }
    }

    /** A drained process has succeeded: it exits with 0 instead of the signal's number. */
    private static void drain(CountDownLatch stop, CompletableFuture<Integer> end) {
        stop.countDown();
        Runtime.getRuntime().halt(end.join());
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The signal has come: the hook is what ended this.
        }
    }

    private static @Nullable OpsServer ops(
            HostSettings settings, DurableTaskHost host, PrometheusMeterRegistry meters) {
        return settings.opsPort() == NO_PORT
                ? null
                : new OpsServer(
                        settings.opsAddress(),
                        settings.opsPort(),
                        meters,
                        new OpsServer.Views(List::of, host::faults, host::status));
    }

    @Command(
            name = "check",
            description = "Checks settings, containers and topics of announcements, and changes nothing.")
    int check() {
        HostSettings settings = HostSettings.of(environment);
        List<String> warnings = new ArrayList<>();
        for (int hub = 0; hub < settings.stores().size(); hub++) {
            warnings.addAll(warnings(settings, hub));
        }
        warnings.forEach(warning -> out().println("warning: " + warning));
        out().println(warnings.isEmpty() ? "all is well" : "it works, but see the warnings");
        return Main.DONE;
    }

    private static List<String> warnings(HostSettings settings, int hub) {
        CosmosStoreConfig config = settings.stores().get(hub);
        List<String> warnings = new ArrayList<>();
        try (CosmosStore store = CosmosStore.open(config)) {
            store.differences().forEach(found -> warnings.add("container " + config.container() + ": " + found));
        }
        AnnouncedWork announced = settings.announced();
        if (announced != null) {
            announced.check(hub).forEach(found -> warnings.add("task hub " + config.container() + ": " + found));
        }
        return warnings;
    }

    @Command(name = "provision", description = "Creates the database and the task hubs' containers that are missing.")
    int provision() {
        HostSettings.of(environment).stores().forEach(CosmosStore::provision);
        out().println("all is there");
        return Main.DONE;
    }

    @Command(
            name = "health",
            description = "Asks a running host whether it serves SDKs: ends with 0 when it does, else with 1.")
    int health(
            @Option(
                            names = "--url",
                            defaultValue = "",
                            description = "The host's port for operators; by default the one that the settings name.")
                    String url,
            @Option(names = "--live", description = "Ask whether it is to be left alone rather than killed.")
                    boolean live)
            throws InterruptedException {
        URI at = URI.create(url.isEmpty() ? "http://127.0.0.1:" + HostVariable.OPS_PORT.read(environment) : url);
        return HealthProbe.isWell(at, live ? "/health/live" : "/health/ready", out()) ? Main.DONE : Main.OTHER;
    }

    @Command(name = "settings", description = "Lists every setting: variable, range, default, meaning.")
    int settings() {
        out().print(settingsText());
        out().flush();
        return Main.DONE;
    }

    static String settingsText() {
        StringBuilder text = new StringBuilder("Settings, as environment variables.%n".formatted());
        for (HostVariable variable : HostVariable.values()) {
            text.append(line(variable.variable(), variable.range(), variable.defaultText(), variable.sentence()));
        }
        for (StoreVariable variable : StoreVariable.values()) {
            text.append(line(
                    variable.variable(),
                    variable.range(),
                    variable.defaultText() == null ? "must be set" : variable.defaultText(),
                    variable.sentence()));
        }
        return text.toString();
    }

    private static String line(String variable, String range, String defaultText, String sentence) {
        return "  %s  (%s%s)%n      %s%n"
                .formatted(variable, range, defaultText.isEmpty() ? "" : "; " + defaultText, sentence);
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
