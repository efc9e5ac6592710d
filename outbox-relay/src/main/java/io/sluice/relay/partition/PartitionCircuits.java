package io.sluice.relay.partition;

import io.sluice.relay.control.MemoryBudget;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.feed.KeyRange;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * What delivery knows of each physical partition of the store, so that one that is away, throttled or slow holds up
 * deliveries to its own instances only. Thread-safe.
 */
public final class PartitionCircuits {
    private static final Duration CIRCUIT_DELAY = Duration.ofSeconds(1);
    /** A short bout of throttling is the ordinary life of a busy partition. */
    private static final Duration THROTTLED_FOR = Duration.ofSeconds(10);
    /** What nobody asked for so long may be well again. */
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(2);

    private final StorePartitions partitions;
    private final RelayMemory memory;
    private final Duration delay;
    private final LongSupplier nanos;
    private final Map<KeyRange, Partition> known = new ConcurrentHashMap<>();

    /**
     * A partition.
     *
     * @param sending its share of the memory for large intents that are being sent
     */
    public record Partition(PartitionCircuit circuit, MemoryBudget sending) {}

    /** @param memory the memory for large intents, of which each partition has a share */
    public PartitionCircuits(StorePartitions partitions, RelayMemory memory) {
        this(partitions, memory, CIRCUIT_DELAY, System::nanoTime);
    }

    /**
     * The same with times of its own.
     *
     * @param delay until one request finds out whether a partition is back
     * @param nanos the time
     */
    public PartitionCircuits(StorePartitions partitions, RelayMemory memory, Duration delay, LongSupplier nanos) {
        this.partitions = partitions;
        this.memory = memory;
        this.delay = delay;
        this.nanos = nanos;
    }

    /** The partition in which an instance lies. */
    public Partition of(String instance) {
        return known.computeIfAbsent(
                partitions.of(instance),
                range -> new Partition(
                        new PartitionCircuit(range, delay, nanos, partitions::readAgain), memory.shareOfSending()));
    }

    /** The partitions that are away or throttle, in the order of the key space. */
    public List<UnavailablePartition> unavailable() {
        known.entrySet().removeIf(this::isOver);
        return known.entrySet().stream()
                .filter(partition -> isUnavailable(partition.getValue().circuit()))
                .sorted(Map.Entry.comparingByKey(KeyRange.ORDER))
                .map(partition -> new UnavailablePartition(
                        partition.getKey(), partition.getValue().circuit().state() == CircuitState.CLOSED))
                .toList();
    }

    private boolean isOver(Map.Entry<KeyRange, Partition> partition) {
        return !partitions.has(partition.getKey())
                || partition.getValue().circuit().sinceAsked().compareTo(FORGOTTEN_AFTER) > 0;
    }

    private static boolean isUnavailable(PartitionCircuit circuit) {
        return circuit.state() != CircuitState.CLOSED || circuit.throttling().compareTo(THROTTLED_FOR) > 0;
    }

    /** The state of the partition that is worst. */
    public CircuitState worst() {
        var states = known.values().stream()
                .map(partition -> partition.circuit().state())
                .toList();
        if (states.contains(CircuitState.OPEN)) {
            return CircuitState.OPEN;
        }
        return states.contains(CircuitState.HALF_OPEN) ? CircuitState.HALF_OPEN : CircuitState.CLOSED;
    }
}
