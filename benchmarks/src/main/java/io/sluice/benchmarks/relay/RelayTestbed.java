package io.sluice.benchmarks.relay;

import io.sluice.benchmarks.harness.Pause;
import io.sluice.benchmarks.store.EmulatedStore;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.testkit.EmbeddedKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/** One container of the emulator, the relays that work on it, and what they publish. */
public final class RelayTestbed implements AutoCloseable {
    /** Physical partitions of the container by default; a relay has one lease for each. */
    public static final int PHYSICAL_PARTITIONS = 4;
    /** The key ranges of the relay: twice as many as physical partitions. */
    static final int RANGES = ranges(PHYSICAL_PARTITIONS);

    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    /** A publisher that waits for Kafka is noticed after twice the longest rest between two looks. */
    private static final Duration UNTIL_STUCK = Duration.ofSeconds(5);

    private static final Duration LOOK = Duration.ofMillis(20);

    private final EmulatedStore emulated;
    private final CosmosStoreConfig config;
    private final EmbeddedKafka kafka;
    private final boolean announces;
    private final StoreClient store;
    private final List<RelayProgram> relays = new ArrayList<>();

    private RelayTestbed(EmulatedStore emulated, CosmosStoreConfig config, EmbeddedKafka kafka, boolean announces) {
        this.emulated = emulated;
        this.config = config;
        this.kafka = kafka;
        this.announces = announces;
        this.store = new StoreClient(config);
    }

    /** Into how many ranges a relay cuts the key space of a container with so many physical partitions. */
    public static int ranges(int physicalPartitions) {
        return Math.max(4, 2 * physicalPartitions);
    }

    /** Starts servers with an empty container. */
    public static RelayTestbed start() {
        return start(PHYSICAL_PARTITIONS);
    }

    /** Starts servers with an empty container of so many physical partitions. */
    static RelayTestbed start(int physicalPartitions) {
        return start(physicalPartitions, false);
    }

    /** The same, with relays that announce work. */
    static RelayTestbed announcing() {
        return start(PHYSICAL_PARTITIONS, true);
    }

    private static RelayTestbed start(int physicalPartitions, boolean announces) {
        var emulated = EmulatedStore.start(physicalPartitions);
        return new RelayTestbed(emulated, emulated.container("relay"), EmbeddedKafka.start(), announces);
    }

    /** The server with the container. */
    public EmulatedStore emulated() {
        return emulated;
    }

    /** Where the container is. */
    public CosmosStoreConfig config() {
        return config;
    }

    CosmosEmulator emulator() {
        return emulated.emulator();
    }

    StoreClient store() {
        return store;
    }

    List<RelayProgram> relays() {
        return relays;
    }

    /** Adds relays until there are so many, and waits until they have shared all ranges and leases. */
    public void share(int count) {
        while (relays.size() < count) {
            var relay = RelayProgram.start(Map.of(
                    "COSMOS_ENDPOINT", config.endpoint(),
                    "COSMOS_KEY", config.key(),
                    "COSMOS_DATABASE", config.database(),
                    "COSMOS_CONTAINER", config.container(),
                    "KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers(),
                    "SLUICE_PREFIX", "benchmark",
                    "SLUICE_TOPIC_PARTITIONS", "4",
                    "SLUICE_TOPIC_REPLICATION", "1",
                    "SLUICE_DISPATCH_ENABLED", String.valueOf(announces)));
            relays.add(relay);
            // One by one: on few processors several JVMs that start at a time run into each other's time-outs.
            await(() -> relay.name().isPresent());
        }
        await(this::isShared);
    }

    private boolean isShared() {
        var leases = store.leaseOwners();
        var owners = new TreeSet<>(leases.values());
        return leases.size() == emulated.physicalPartitions()
                && owners.size() == Math.min(relays.size(), emulated.physicalPartitions())
                && isInState("PUBLISHING")
                && relays.stream().noneMatch(relay -> relay.ranges("PUBLISHING").isEmpty());
    }

    /** Whether every range is in this state, at one relay or another. */
    boolean isInState(String state) {
        var ranges = new TreeSet<Integer>();
        relays.forEach(relay -> ranges.addAll(relay.ranges(state)));
        return ranges.size() == ranges(emulated.physicalPartitions());
    }

    /** Ends the broker permanently, and waits until events pile up behind it. */
    void loseKafka() {
        kafka.close();
        store.writeEvents("unpublished", 10 * RANGES);
        Pause.of(UNTIL_STUCK);
    }

    PublishedEvents published() {
        return new PublishedEvents(kafka.bootstrapServers(), "benchmark.history");
    }

    /** Waits for a condition. */
    public static void await(BooleanSupplier condition) {
        long deadlineNanos = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException("the measured event did not happen within " + TIMEOUT);
            }
            Pause.of(LOOK);
        }
    }

    @Override
    public void close() {
        relays.forEach(RelayProgram::close);
        store.close();
        kafka.close();
        emulated.close();
    }
}
