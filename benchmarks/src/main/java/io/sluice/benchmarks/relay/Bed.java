package io.sluice.benchmarks.relay;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.testkit.EmbeddedKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** One container of the emulator, the relays that work on it, and what they publish. */
final class Bed implements AutoCloseable {
    /** Of the container; a relay makes a lease of each. */
    static final int PHYSICAL_PARTITIONS = 4;
    /** Into which the relay cuts the key space. */
    static final int RANGES = 2 * PHYSICAL_PARTITIONS;

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    /** A publisher that waits for Kafka is noticed after twice the longest rest between two looks. */
    private static final Duration UNTIL_STUCK = Duration.ofSeconds(5);

    private static final Duration LOOK = Duration.ofMillis(20);

    private final CosmosEmulator emulator;
    private final CosmosStoreConfig config;
    private final EmbeddedKafka kafka;
    private final StoreClient store;
    private final List<RelayProgram> relays = new ArrayList<>();

    private Bed(CosmosEmulator emulator, CosmosStoreConfig config, EmbeddedKafka kafka) {
        this.emulator = emulator;
        this.config = config;
        this.kafka = kafka;
        this.store = new StoreClient(config);
    }

    /** Starts servers with an empty container. */
    static Bed start() {
        var emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(PHYSICAL_PARTITIONS));
        var config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "benchmarks", "relay");
        CosmosStore.provision(config);
        return new Bed(emulator, config, EmbeddedKafka.start());
    }

    CosmosEmulator emulator() {
        return emulator;
    }

    StoreClient store() {
        return store;
    }

    List<RelayProgram> relays() {
        return relays;
    }

    /** Adds relays until there are so many, and waits until they have shared all ranges and leases. */
    void share(int count) {
        while (relays.size() < count) {
            var relay = RelayProgram.start(Map.of(
                    "COSMOS_ENDPOINT", config.endpoint(),
                    "COSMOS_KEY", emulator.key(),
                    "COSMOS_DATABASE", config.database(),
                    "COSMOS_CONTAINER", config.container(),
                    "KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers(),
                    "SLUICE_PREFIX", "benchmark",
                    "SLUICE_TOPIC_PARTITIONS", "4",
                    "SLUICE_TOPIC_REPLICATION", "1"));
            relays.add(relay);
            // One by one: on few processors several JVMs that start at a time run into each other's time-outs.
            await(() -> relay.name().isPresent());
        }
        await(this::isShared);
    }

    private boolean isShared() {
        var leases = store.leaseOwners();
        var owners = new TreeSet<>(leases.values());
        return leases.size() == PHYSICAL_PARTITIONS
                && owners.size() == Math.min(relays.size(), PHYSICAL_PARTITIONS)
                && isInState("PUBLISHING")
                && relays.stream().noneMatch(relay -> relay.ranges("PUBLISHING").isEmpty());
    }

    /** Whether every range is in this state, at one relay or another. */
    boolean isInState(String state) {
        var ranges = new TreeSet<Integer>();
        relays.forEach(relay -> ranges.addAll(relay.ranges(state)));
        return ranges.size() == RANGES;
    }

    /** Ends the broker for good, and waits until events pile up behind it. */
    void loseKafka() {
        kafka.close();
        store.writeEvents("unpublished", 10 * RANGES);
        rest(UNTIL_STUCK);
    }

    Published published() {
        return new Published(kafka.bootstrapServers(), "benchmark.history");
    }

    /** Waits for a condition. */
    static void await(BooleanSupplier condition) {
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException("what is measured did not happen within " + PATIENCE);
            }
            rest(LOOK);
        }
    }

    /** Lets time pass: measuring idleness is waiting. */
    static void rest(Duration duration) {
        long endNanos = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = endNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public void close() {
        relays.forEach(RelayProgram::close);
        store.close();
        kafka.close();
        emulator.close();
    }
}
