package io.sluice.durabletask.cli;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.durabletask.DurableTaskHost;
import io.sluice.durabletask.http.HostEndpoints;
import io.sluice.program.ProcessMeters;
import io.sluice.program.cli.CheckTimeout;
import io.sluice.program.cli.Checks;
import io.sluice.program.cli.ExitCode;
import io.sluice.program.cli.HealthCommand;
import io.sluice.program.cli.StatusCommand;
import io.sluice.program.cli.Version;
import io.sluice.program.http.OpsPort;
import io.sluice.program.http.OpsServer;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
        versionProvider = Version.class,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done, or drained after SIGTERM",
            "1:any other failure",
            "2:the settings or the command line are wrong",
            "3:Cosmos can't be reached or refuses, or a port is in use"
        })
final class HostCommand {
    private static final Logger LOG = LoggerFactory.getLogger(HostCommand.class);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--config",
            scope = ScopeType.INHERIT,
            description =
                    "Properties file with settings; also by SLUICE_HOST_CONFIG. The environment takes precedence.")
    private @Nullable Path file;

    private final Map<String, String> environment;

    HostCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Command(name = "serve", description = "Serves SDKs until SIGTERM, which gives back what workers hold.")
    int serve() throws InterruptedException {
        HostSettings settings = settingsGiven();
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        // Nothing is held until the stores are open, which may take a minute where one is away: until then a signal
        // ends the process at once.
        Stores stores = Stores.open(settings, meters);
        CountDownLatch stop = new CountDownLatch(1);
        CompletableFuture<Integer> end = new CompletableFuture<>();
        Thread hook = new Thread(() -> drain(stop, end), "sluice-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            serve(settings, stores, meters, stop);
            end.complete(ExitCode.DONE);
        } finally {
            end.complete(ExitCode.OTHER);
            remove(hook);
        }
        return ExitCode.DONE;
    }

    private void serve(HostSettings settings, Stores stores, PrometheusMeterRegistry meters, CountDownLatch stop)
            throws InterruptedException {
        ProcessMeters process = new ProcessMeters(meters);
        try (stores;
                process;
                DurableTaskHost host = DurableTaskHost.start(
                        stores.providers(), settings.host().withMeters(meters));
                OpsServer ops = ops(settings, host, meters)) {
            ops.start();
            out().println("serving DurableTask SDKs at " + settings.host().address() + ":" + host.port()
                    + (ops.port() < 0 ? "" : ", operators at " + settings.ops().host() + ":" + ops.port()));
            out().flush();
            Thread advice = new Thread(() -> warn(stores), "sluice-advice");
            advice.setDaemon(true);
            advice.start();
            stop.await();
        }
    }

    /** Only advice: a store that does not answer it keeps nobody from being served, and no host from ending. */
    private static void warn(Stores stores) {
        try {
            stores.warnings().forEach(LOG::warn);
        } catch (ProviderException e) {
            LOG.atInfo()
                    .addKeyValue("reason", e.getMessage())
                    .log("whether other runtimes use a task hub was not found out");
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

    private static OpsServer ops(HostSettings settings, DurableTaskHost host, PrometheusMeterRegistry meters) {
        return new OpsServer(settings.ops(), new HostEndpoints(List::of, host::faults, host::status, meters).all());
    }

    @Command(
            name = "check",
            description = "Checks settings, containers and topics of announcements, and changes nothing; ends within"
                    + " --timeout and the 3 s of its own start.")
    int check(@Mixin CheckTimeout timeout) throws InterruptedException {
        Duration limit = timeout.limit();
        HostSettings settings = settingsGiven();
        // Only a warning: a relay that is started from the same shell has variables that begin so.
        List<String> warnings = new ArrayList<>(HostCatalog.PROGRAM.unknown("SLUICE_", environment));
        Checks checks = new Checks(limit);
        for (int hub = 0; hub < settings.stores().size(); hub++) {
            begin(checks, settings, hub);
        }
        warnings.addAll(checks.await());
        warnings.forEach(warning -> out().println("warning: " + warning));
        out().println(warnings.isEmpty() ? "all is well" : "it works, but see the warnings");
        return ExitCode.DONE;
    }

    private static void begin(Checks checks, HostSettings settings, int hub) {
        CosmosStoreConfig config = settings.stores().get(hub);
        String container = "container " + config.container();
        checks.need(
                "the store of " + container + " at " + config.endpoint(),
                Checks.OF_STORE,
                () -> prefixed(container, warnings(config, settings.relayWait())));
        AnnouncedWork announced = settings.announced();
        if (announced != null) {
            String taskHub = "task hub " + config.container();
            checks.advise(
                    taskHub + ": Kafka",
                    "work is searched for in the store meanwhile",
                    () -> prefixed(taskHub, announced.check(hub)));
        }
    }

    private static List<String> prefixed(String subject, List<String> findings) {
        return findings.stream().map(found -> subject + ": " + found).toList();
    }

    private static List<String> warnings(CosmosStoreConfig config, RelayWait relayWait) {
        try (CosmosStore store = CosmosStore.open(config);
                CosmosProvider provider =
                        CosmosProvider.builder().store(store).reconciler(false).build()) {
            List<String> warnings = new ArrayList<>(store.differences());
            warnings.addAll(Stores.warnings(provider, relayWait));
            return warnings;
        }
    }

    @Command(name = "provision", description = "Creates the database and the task hubs' containers that are missing.")
    int provision() {
        settingsGiven().stores().forEach(CosmosStore::provision);
        out().println("all is there");
        return ExitCode.DONE;
    }

    @Command(name = "settings", description = "Lists every setting: variable, range, default, meaning.")
    int settings() {
        out().print(settingsText());
        out().flush();
        return ExitCode.DONE;
    }

    static String settingsText() {
        return "Settings, as environment variables; in a file the same in lower case with dots (SLUICE_HOST_PORT is "
                + "sluice.host.port).%n".formatted() + HostCatalog.CATALOG.table()
                + "  SLUICE_HOST_KAFKA_*  any other setting of Kafka's consumers%n".formatted();
    }

    private HostSettings settingsGiven() {
        return HostSettings.of(environment, path());
    }

    private @Nullable Path path() {
        String named = environment.get(HostCatalog.FILE_VARIABLE);
        return file == null && named != null && !named.isBlank() ? Path.of(named) : file;
    }

    /** This command with all subcommands. */
    CommandLine commandLine() {
        Supplier<OpsPort> port = () -> HostSettings.ops(environment, path());
        return new CommandLine(this)
                .addSubcommand(new HealthCommand("host", port))
                .addSubcommand(new StatusCommand("host", port));
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
