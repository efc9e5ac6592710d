package io.sluice.benchmarks;

import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.EmbeddedKafka;
import io.sluice.testkit.process.JavaProcess;
import io.sluice.testkit.process.JavaProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A store of its own with a relay, a client that starts orchestrations, and runtimes, each a process. */
final class DispatchSite implements AutoCloseable {
    /** Begins the names of instances. */
    static final String ORDER = "order-";

    private static final String RUNTIME = "runtime";
    private static final String CLIENT = "client";
    /** As many processes can share the turns. */
    private static final String TOPIC_PARTITIONS = "16";

    private final Way way;
    private final String prefix;
    private final EmbeddedKafka kafka;
    private final EmulatedStore store;
    private final RelayProcess relay;
    private final CosmosProvider client;
    private final List<JavaProcess> runtimes = new ArrayList<>();
    private int instances;

    /** Starts one whose container has so many physical partitions; returns when its relay has begun to read. */
    DispatchSite(Way way, int physicalPartitions, EmbeddedKafka kafka) {
        this.way = way;
        this.prefix = way.text() + "-" + physicalPartitions;
        this.kafka = kafka;
        this.store = EmulatedStore.start(physicalPartitions);
        this.relay = RelayProcess.start(
                store,
                Map.of(
                        "KAFKA_BOOTSTRAP_SERVERS",
                        kafka.bootstrapServers(),
                        "SLUICE_PREFIX",
                        prefix,
                        "SLUICE_TOPIC_PARTITIONS",
                        TOPIC_PARTITIONS,
                        "SLUICE_DISPATCH_ENABLED",
                        Boolean.toString(way == Way.ANNOUNCED)));
        Wait.until("the relay publishes", () -> relay.ranges("PUBLISHING").size() == physicalPartitions);
        this.client = CosmosProvider.builder()
                .config(store.configOf(CLIENT))
                .relayExpected(RuntimeProgram.RELAY_EXPECTED)
                .build();
    }

    /** Adds a runtime with so many dispatchers; returns when it and those before it have their share of the work. */
    void addRuntime(int turns, int activities) {
        var runtime = JavaProgram.of(
                        RuntimeProgram.class,
                        way.text(),
                        kafka.bootstrapServers(),
                        prefix,
                        Integer.toString(turns),
                        Integer.toString(activities))
                .named(RUNTIME)
                .small(128)
                .with(store.variablesOf(RUNTIME))
                .start();
        runtimes.add(runtime);
        runtime.awaitPrinted(RuntimeProgram.DISPATCHES);
        if (way == Way.ANNOUNCED) {
            try (var group = new TurnGroup(kafka.bootstrapServers(), prefix + "-work-turns-")) {
                group.awaitMembers(runtimes.size());
            }
        }
    }

    int runtimes() {
        return runtimes.size();
    }

    /** Ends the runtimes in good order. */
    void endRuntimes() {
        runtimes.forEach(JavaProcess::end);
        runtimes.clear();
    }

    /** Starts an orchestration that ends with its first turn. Thread-safe. */
    void startOrchestration() {
        client.enqueueForOrchestrator(
                new WorkItem.StartOrchestration(nextInstance(), "Order", "{}", "1.0.0", null, null, null, 1), null);
    }

    private synchronized String nextInstance() {
        instances++;
        return ORDER + instances;
    }

    /** Forgets what was asked so far. */
    void forget() {
        store.forget();
    }

    /**
     * When the turns since {@link #forget} were written, fetched and acked.
     *
     * @throws IllegalStateException when a runtime has ended
     */
    TurnTimes times() {
        runtimes.forEach(JavaProcess::requireAlive);
        return TurnTimes.of(store.asked(), CLIENT, RUNTIME);
    }

    /** What runtimes have asked since {@link #forget}. */
    RequestCost ofRuntimes() {
        return store.costOf(RUNTIME);
    }

    /** What the relay has asked since {@link #forget}. */
    RequestCost ofRelay() {
        return store.costOf(RelayProcess.APPLICATION);
    }

    @Override
    public void close() {
        runtimes.forEach(JavaProcess::close);
        client.close();
        relay.close();
        store.close();
    }
}
