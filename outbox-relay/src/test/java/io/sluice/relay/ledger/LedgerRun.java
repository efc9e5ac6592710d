package io.sluice.relay.ledger;

import static org.awaitility.Awaitility.await;

import com.azure.cosmos.CosmosException;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.kafka.KafkaWorkFeed;
import io.sluice.provider.work.WorkItem;
import io.sluice.relay.Drain;
import io.sluice.relay.RelayEnvironment;
import io.sluice.relay.StopSignal;
import io.sluice.testkit.EmbeddedKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run of the ledger: broker, emulator and runtimes here, relays as processes that are killed, paused and replaced
 * while they work, then the audit. As a program it ends with 1 when anything was lost, repeated, out of order or
 * altered.
 */
public final class LedgerRun {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerRun.class);
    private static final String PREFIX = "ledger";
    private static final Duration LOOK = Duration.ofMillis(400);
    private static final Duration HANG = Duration.ofMinutes(2);
    private static final Duration START = Duration.ofMinutes(5);
    private static final Duration TAKEOVER = Duration.ofSeconds(40);
    private static final int ORDERS_PER_RUST_TURN = 25;

    private final Plan plan;
    private final Path logs;
    private final StopSignal stopped = new StopSignal();

    private LedgerRun(Plan plan) {
        this.plan = plan;
        this.logs = Path.of("target", "ledger", String.valueOf(plan.seed()));
    }

    /** {@code -Dledger.seed} repeats the actions of a run; other settings are those of {@link Plan#fromProperties}. */
    public static void main(String[] arguments) throws Exception {
        var summary = of(Plan.fromProperties());
        System.out.println(summary.text());
        System.exit(summary.isExact() ? 0 : 1);
    }

    /** Runs a plan from beginning to end. */
    static Summary of(Plan plan) throws Exception {
        var run = new LedgerRun(plan);
        try {
            return run.run();
        } finally {
            run.stopped.give();
        }
    }

    private Summary run() throws Exception {
        long startedNanos = System.nanoTime();
        LOG.atWarn().addKeyValue("plan", plan).addKeyValue("logs", logs).log("ledger begins");
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory());
                var kafka = EmbeddedKafka.start(EmbeddedKafka.SHORT_GROUP_SESSIONS);
                var proxy = KafkaProxy.before(kafka.bootstrapServers())) {
            var config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "ledger", "orders");
            CosmosStore.provision(config);
            try (var store = new Store(config);
                    var topic = new Topic(kafka.bootstrapServers(), PREFIX + ".history");
                    var deadLetters = new Topic(kafka.bootstrapServers(), PREFIX + ".dead-letters");
                    var provider = CosmosProvider.builder()
                            .config(config)
                            .immediateDelivery(false)
                            .workFeed(KafkaWorkFeed.builder()
                                    .clientProperties(Map.of("bootstrap.servers", proxy.bootstrapServers()))
                                    .topicPrefix(PREFIX)
                                    .build())
                            .build();
                    var runtimes = new Runtimes(provider, plan.load())) {
                var takeovers = new Takeovers(store::leaseOwners);
                try (var fleet = new Fleet(environment(config, proxy), takeovers, logs);
                        var trouble = new Troublemaker(plan, emulator, config, proxy, fleet)) {
                    for (int i = 0; i < plan.replicas(); i++) {
                        fleet.join();
                    }
                    fleet.awaitRunning();
                    runtimes.start();
                    startInstances(provider, store);
                    var load = new Thread(() -> giveOrders(provider, new RustWriter(store, plan.load())), "orders");
                    load.setDaemon(true);
                    load.start();
                    var watch = new Watch(takeovers);
                    watch.start();
                    trouble.run();
                    load.join();
                    awaitDrained(store, topic, fleet);
                    watch.end();
                    runtimes.stop();
                    var report = Audit.of(store.histories(), topic.read(), runtimes.confirmed());
                    return new Summary(
                            plan,
                            report,
                            deadLetters.read().size() + store.count("outbox_intent", "true"),
                            Summary.Troubles.of(trouble, proxy.lostAnswers()),
                            takeovers.taken(),
                            Duration.ofNanos(System.nanoTime() - startedNanos));
                }
            }
        }
    }

    private static Map<String, String> environment(CosmosStoreConfig store, KafkaProxy kafka) {
        return RelayEnvironment.of(
                store,
                kafka.bootstrapServers(),
                PREFIX,
                Map.of(
                        "SLUICE_TOPIC_PARTITIONS",
                        "4",
                        "SLUICE_TOPIC_REPLICATION",
                        "1",
                        "SLUICE_SWEEP_INTERVAL",
                        "15000",
                        "SLUICE_DISPATCH_ENABLED",
                        "true"));
    }

    private void startInstances(CosmosProvider provider, Store store) {
        var load = plan.load();
        for (int i = 0; i < plan.instances(); i++) {
            provider.enqueueForOrchestrator(
                    new WorkItem.StartOrchestration(load.instance(i), "Order", "{}", "1.0.0", null, null, null, 1),
                    null);
        }
        await().atMost(START).pollInterval(LOOK).until(() -> store.count("history", "true") >= plan.instances());
    }

    /** Spread over the time that the actions take. */
    private void giveOrders(CosmosProvider provider, RustWriter rust) {
        var load = plan.load();
        long wholeNanos =
                plan.steps().stream().mapToLong(step -> step.after().toNanos()).sum();
        long startedNanos = System.nanoTime();
        try {
            for (int number = 0; number < plan.orders(); number++) {
                long dueNanos = startedNanos + wholeNanos * number / plan.orders();
                if (stopped.restUntil(dueNanos)) {
                    return;
                }
                enqueue(
                        provider,
                        new WorkItem.ExternalRaised(
                                load.instance(number % load.instances()), Turn.GO, String.valueOf(number)));
                if (number % ORDERS_PER_RUST_TURN == 0) {
                    rust.write(number / ORDERS_PER_RUST_TURN);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * An order of which nobody knows whether it arrived may come twice: what follows from it is in the histories all
     * the same.
     */
    private static void enqueue(CosmosProvider provider, WorkItem order) {
        while (true) {
            try {
                provider.enqueueForOrchestrator(order, null);
                return;
            } catch (ProviderException e) {
                LOG.atDebug().setCause(e).log("not known whether the order was given, once more");
            }
        }
    }

    private void awaitDrained(Store store, Topic topic, Fleet fleet) {
        var left = new Drain(() -> remaining(store, topic, fleet), HANG).awaitEnd();
        if (!left.equals(Drain.NOTHING)) {
            // The audit says what is missing.
            LOG.atError()
                    .addKeyValue("seed", plan.seed())
                    .addKeyValue("logs", logs)
                    .addKeyValue("left", left)
                    .log("the relays make no progress");
        }
    }

    private static String remaining(Store store, Topic topic, Fleet fleet) {
        if (fleet.replicas().isEmpty()) {
            throw new IllegalStateException("no replica is left");
        }
        long waiting = store.count("outbox_intent", "true")
                + store.count("orch_queue", "true")
                + store.count("worker_queue", "true");
        long events = store.count("history", "true");
        int published = topic.read().size();
        return waiting == 0 && published >= events
                ? Drain.NOTHING
                : waiting + " documents wait, " + published + " of " + events + " events published";
    }

    /** Looks at the leases until it is ended. */
    private static final class Watch {
        private final Takeovers takeovers;
        private final Thread thread = new Thread(this::look, "takeovers");
        private final StopSignal end = new StopSignal();

        private Watch(Takeovers takeovers) {
            this.takeovers = takeovers;
        }

        private void start() {
            thread.setDaemon(true);
            thread.start();
        }

        private void look() {
            try {
                do {
                    try {
                        takeovers.look();
                    } catch (CosmosException e) {
                        LOG.atDebug().setCause(e).log("the leases can't be read now");
                    }
                } while (!end.restFor(LOOK));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** Waits until every lease has an owner again, or for some time, and ends. */
        private void end() throws InterruptedException {
            var unused = new Drain(() -> takeovers.areOver() ? Drain.NOTHING : "takeovers", TAKEOVER).awaitEnd();
            end.give();
            thread.join();
        }
    }
}
