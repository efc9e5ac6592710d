package io.sluice.relay.soak;

import com.azure.cosmos.CosmosException;
import io.sluice.client.ClientConfig;
import io.sluice.client.SluiceClient;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.Provider;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.history.HistoryJson;
import io.sluice.relay.Drain;
import io.sluice.relay.Main;
import io.sluice.relay.RelayEnvironment;
import io.sluice.relay.ledger.Store;
import io.sluice.relay.ledger.Topic;
import io.sluice.testkit.KafkaTopics;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run of the soak: broker, emulator, two relays and two runtimes as processes; orders by commands at a steady rate,
 * one relay and one runtime killed by turns, the others watched; then the audit. As a program it ends with 1 when
 * anything was lost, repeated, out of order or altered, or when a watched process grows.
 */
public final class SoakRun {
    private static final Logger LOG = LoggerFactory.getLogger(SoakRun.class);
    private static final String PREFIX = "soak";
    private static final String REPLIES = "soak.replies";
    private static final String DATABASE = "soak";
    private static final String CONTAINER = "orders";
    static final String RELAY_WORKS = "relay is running";
    private static final Duration REPLY = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration HANG = Duration.ofMinutes(3);
    private static final int RELAY_MEGABYTES = 256;
    private static final int RUNTIME_MEGABYTES = 192;
    private static final int SERVER_MEGABYTES = 512;

    private final SoakPlan plan;
    private final Path folder;

    private SoakRun(SoakPlan plan) {
        this.plan = plan;
        this.folder = Path.of("target", "soak", String.valueOf(plan.seed())).toAbsolutePath();
    }

    /** {@code -Dsoak.minutes}, {@code -Dsoak.seed}; other settings are those of {@link SoakPlan#fromProperties}. */
    public static void main(String[] arguments) throws Exception {
        var summary = of(SoakPlan.fromProperties());
        System.out.println(summary.text());
        System.exit(summary.isSound() ? 0 : 1);
    }

    /** Runs a plan from beginning to end. */
    static SoakSummary of(SoakPlan plan) throws Exception {
        return new SoakRun(plan).run();
    }

    private SoakSummary run() throws Exception {
        LOG.atWarn().addKeyValue("plan", plan).addKeyValue("folder", folder).log("soak begins");
        Files.createDirectories(folder);
        deleteJournals();
        try (var emulator = server("emulator", EmulatorProgram.class);
                var broker = server("broker", BrokerProgram.class)) {
            var bootstrap = after(BrokerProgram.LISTENS, broker.awaitLine(BrokerProgram.LISTENS));
            var endpoint = after(EmulatorProgram.LISTENS, emulator.awaitLine(EmulatorProgram.LISTENS));
            var config = new CosmosStoreConfig(endpoint, EmulatorConfig.WELL_KNOWN_KEY, DATABASE, CONTAINER);
            StoreStart.retry(() -> {
                CosmosStore.provision(config);
                return true;
            });
            var environment = environment(config, bootstrap);
            try (var relay = Program.start(relay("relay", true, environment), folder);
                    var runtime = Program.start(runtime("runtime", true, environment), folder);
                    var kills = new Kills(victims(environment), plan.betweenKills(), plan.seed())) {
                relay.awaitLine(RELAY_WORKS);
                runtime.awaitLine(RuntimeProgram.WORKS);
                kills.awaitWorking();
                makeReplyTopic(bootstrap);
                try (var store = new Store(config);
                        var topic = new Topic(bootstrap, PREFIX + ".history");
                        var deadLetters = new Topic(bootstrap, PREFIX + ".dead-letters");
                        var looker = StoreStart.retry(
                                () -> CosmosProvider.builder().config(config).build());
                        var client = SluiceClient.open(ClientConfig.of(bootstrap, PREFIX)
                                .withReplyTopic(REPLIES)
                                .withReplyTimeout(REPLY));
                        var watch = new Watch(
                                List.of(emulator, broker, relay, runtime),
                                new Watch.Ports(
                                        URI.create(endpoint).getPort(),
                                        URI.create("tcp://" + bootstrap).getPort()),
                                store::documents,
                                plan.pace())) {
                    return work(new Bed(store, topic, deadLetters, looker, client), watch, kills);
                }
            }
        }
    }

    /** What the run's own process works with. */
    private record Bed(Store store, Topic topic, Topic deadLetters, Provider looker, SluiceClient client) {}

    private SoakSummary work(Bed bed, Watch watch, Kills kills) throws Exception {
        long startedNanos = System.nanoTime();
        var progress = new Progress(bed.topic());
        var orders = new Orders(bed.client(), plan, progress::finished);
        orders.startHubs();
        var load = new Thread(() -> give(orders), "orders");
        load.setDaemon(true);
        watch.start();
        kills.start();
        load.start();
        var looks = new Looks(bed.looker(), plan.seed());
        try {
            while (load.isAlive()) {
                progress.look();
                looks.look(orders.given());
                load.join(LOOK.toMillis());
            }
        } finally {
            orders.stop();
        }
        var samples = watch.end();
        kills.end();
        samples.writeCsv(folder.resolve("samples.csv"));
        long loadSeconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedNanos);
        awaitDrained(bed, progress, orders);
        var stored = bed.store().histories().values().stream()
                .flatMap(List::stream)
                .map(HistoryJson::encode)
                .toList();
        var report =
                SoakAudit.of(bed.topic().read(), new SoakAudit.Truth(orders.given(), Journal.readAll(folder), stored));
        return new SoakSummary(
                plan,
                report,
                new SoakSummary.Load(
                        Duration.ofSeconds(loadSeconds),
                        orders.given(),
                        orders.asked(),
                        orders.replies(),
                        orders.repeated(),
                        orders.refused(),
                        orders.waited(),
                        looks.count()),
                kills.counts(),
                kills.endedAlone(),
                left(bed.store()) + bed.deadLetters().read().size(),
                samples);
    }

    private static void give(Orders orders) {
        try {
            orders.giveAll();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Program server(String name, Class<?> main) {
        return Program.start(new Program.Spec(name, main, SERVER_MEGABYTES, true, List.of(), Map.of()), folder);
    }

    private static Program.Spec relay(String name, boolean watched, Map<String, String> environment) {
        return new Program.Spec(name, Main.class, RELAY_MEGABYTES, watched, List.of("run"), environment);
    }

    /** The watched one delivers what it can itself, the others leave all to the relays. */
    private Program.Spec runtime(String name, boolean watched, Map<String, String> environment) {
        var told = new HashMap<>(environment);
        told.put(RuntimeProgram.JOURNAL, folder.resolve(name + ".journal").toString());
        told.put(RuntimeProgram.IMMEDIATE, String.valueOf(watched));
        told.put(RuntimeProgram.KEEP_SECONDS, String.valueOf(plan.keep().toSeconds()));
        return new Program.Spec(name, RuntimeProgram.class, RUNTIME_MEGABYTES, watched, List.of(), told);
    }

    private List<Kills.Victim> victims(Map<String, String> environment) {
        return List.of(
                new Kills.Victim(
                        number -> Program.start(relay("relay-" + number, false, environment), folder), RELAY_WORKS),
                new Kills.Victim(
                        number -> Program.start(runtime("runtime-" + number, false, environment), folder),
                        RuntimeProgram.WORKS));
    }

    private Map<String, String> environment(CosmosStoreConfig store, String bootstrap) {
        var environment = RelayEnvironment.of(store, bootstrap, PREFIX, RelayEnvironment.SMALL);
        environment.put(RelayEnvironment.ANNOUNCES, String.valueOf(plan.dispatched()));
        return environment;
    }

    /** What follows a part of a line, without a slash at its end. */
    static String after(String part, String line) {
        return line.substring(line.indexOf(part) + part.length()).strip().replaceAll("/+$", "");
    }

    private static void makeReplyTopic(String bootstrap) throws Exception {
        try (var admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            KafkaTopics.create(admin, new NewTopic(REPLIES, 2, (short) 1));
        }
    }

    private void deleteJournals() throws IOException {
        try (var files = Files.newDirectoryStream(folder, "*.journal")) {
            for (var file : files) {
                Files.delete(file);
            }
        }
    }

    /** How many documents wait for something. */
    static long left(Store store) {
        return store.count("outbox_intent", "true")
                + store.count("orch_queue", "true")
                + store.count("worker_queue", "true")
                + store.count("staged", "true")
                + store.count("deletion", "true");
    }

    /**
     * Until every order has ended and is deleted, and nothing waits; gives up when nothing moves, the audit then says
     * what is missing.
     */
    private void awaitDrained(Bed bed, Progress progress, Orders orders) {
        var left = new Drain(
                        () -> {
                            progress.look();
                            return remaining(bed, progress, orders);
                        },
                        HANG)
                .awaitEnd();
        if (left.equals(Drain.NOTHING)) {
            progress.lookUntilStill();
        } else {
            LOG.atError()
                    .addKeyValue("folder", folder)
                    .addKeyValue("left", left)
                    .log("the run makes no progress");
        }
    }

    private static String remaining(Bed bed, Progress progress, Orders orders) {
        try {
            long instances = bed.looker().asManagementCapability().orElseThrow().listInstances().stream()
                    .filter(instance -> !Story.isHub(instance))
                    .count();
            long left = left(bed.store());
            boolean drained = progress.finished() == orders.given()
                    && progress.deletions() >= 2 * orders.given()
                    && instances == 0
                    && left == 0
                    && orders.replies() == orders.asked();
            return drained
                    ? Drain.NOTHING
                    : String.format(
                            Locale.ROOT,
                            "%d of %d orders ended, %d deletions published, %d instances and %d documents left, "
                                    + "%d of %d replies",
                            progress.finished(),
                            orders.given(),
                            progress.deletions(),
                            instances,
                            left,
                            orders.replies(),
                            orders.asked());
        } catch (ProviderException | CosmosException e) {
            LOG.atWarn().addKeyValue("reason", e.getMessage()).log("can't look now");
            return "not known";
        }
    }
}
