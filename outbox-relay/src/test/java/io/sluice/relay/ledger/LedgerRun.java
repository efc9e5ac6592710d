package io.sluice.relay.ledger;

import com.azure.cosmos.CosmosException;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.EmbeddedKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run of the ledger: broker, emulator and runtimes here, relays as processes that are killed, paused and replaced while they work,
 * then the audit. As a program it ends with 1 when anything was lost, repeated, out of order or altered.
 */
public final class LedgerRun {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerRun.class);
    private static final String PREFIX = "ledger";
    private static final Duration LOOK = Duration.ofMillis(400);
    private static final Duration HANG = Duration.ofMinutes(2);
    private static final int ORDERS_PER_RUST_TURN = 25;

    private final Plan plan;
    private final Path logs;

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
        return new LedgerRun(plan).run();
    }

    private Summary run() throws Exception {
        long startedNanos = System.nanoTime();
        LOG.atWarn().addKeyValue("plan", plan).addKeyValue("logs", logs).log("ledger begins");
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory());
                var kafka = EmbeddedKafka.start();
                var proxy = KafkaProxy.before(kafka.bootstrapServers())) {
            var config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "ledger", "orders");
            CosmosStore.provision(config);
            try (var store = new Store(config);
                    var topic = new Topic(kafka.bootstrapServers(), PREFIX + ".history");
                    var deadLetters = new Topic(kafka.bootstrapServers(), PREFIX + ".dead-letters");
                    var provider = CosmosProvider.builder()
                            .config(config)
                            .immediateDelivery(false)
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
        return Map.of(
                "COSMOS_ENDPOINT", store.endpoint(),
                "COSMOS_KEY", store.key(),
                "COSMOS_DATABASE", store.database(),
                "COSMOS_CONTAINER", store.container(),
                "KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers(),
                "SLUICE_PREFIX", PREFIX,
                "SLUICE_TOPIC_PARTITIONS", "4",
                "SLUICE_TOPIC_REPLICATION", "1",
                "SLUICE_SWEEP_INTERVAL", "15000");
    }

    private void startInstances(CosmosProvider provider, Store store) throws InterruptedException {
        var load = plan.load();
        for (int i = 0; i < plan.instances(); i++) {
            provider.enqueueForOrchestrator(
                    new WorkItem.StartOrchestration(load.instance(i), "Order", "{}", "1.0.0", null, null, null, 1),
                    null);
        }
        while (store.count("history", "true") < plan.instances()) {
            TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
        }
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
                TimeUnit.NANOSECONDS.sleep(dueNanos - System.nanoTime());
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

    /** An order of which nobody knows whether it arrived may come twice: what follows from it is in the histories all the same. */
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

    private void awaitDrained(Store store, Topic topic, Fleet fleet) throws InterruptedException {
        String before = "";
        long changedNanos = System.nanoTime();
        while (!fleet.replicas().isEmpty()) {
            long waiting = store.count("outbox_intent", "true")
                    + store.count("orch_queue", "true")
                    + store.count("worker_queue", "true");
            long events = store.count("history", "true");
            int published = topic.read().size();
            if (waiting == 0 && published >= events) {
                return;
            }
            var now = waiting + " documents wait, " + published + " of " + events + " events published";
            if (!now.equals(before)) {
                before = now;
                changedNanos = System.nanoTime();
            } else if (System.nanoTime() - changedNanos > HANG.toNanos()) {
                LOG.atError()
                        .addKeyValue("seed", plan.seed())
                        .addKeyValue("logs", logs)
                        .log("no progress: {}", now);
                return; // the audit says what is missing
            }
            TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
        }
    }

    /** Looks at the leases until it is ended. */
    private static final class Watch {
        private final Takeovers takeovers;
        private final Thread thread = new Thread(this::look, "takeovers");
        private volatile boolean ended;

        private Watch(Takeovers takeovers) {
            this.takeovers = takeovers;
        }

        private void start() {
            thread.setDaemon(true);
            thread.start();
        }

        private void look() {
            try {
                while (!ended) {
                    try {
                        takeovers.look();
                    } catch (CosmosException e) {
                        LOG.atDebug().setCause(e).log("the leases can't be seen now");
                    }
                    TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** When everything has an owner again. */
        private void end() throws InterruptedException {
            for (int i = 0; i < 100 && !takeovers.areOver(); i++) {
                TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
            }
            ended = true;
            thread.join();
        }
    }
}
