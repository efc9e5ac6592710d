package io.sluice.relay.delivery;

import io.sluice.provider.outbox.IntentSlice;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.partition.PartitionCircuits;
import io.sluice.relay.partition.PartitionPlaces;
import io.sluice.relay.partition.StorePartitions;
import io.sluice.relay.partition.UnavailablePartition;
import io.sluice.relay.status.RelayStatus;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/**
 * Makes drains of sources that share one guarded outbox, and remembers what these drains have read and done.
 * Thread-safe.
 */
public final class SourceDrains {
    private static final Duration MIN_PARKING = Duration.ofSeconds(1);

    private final DeliveryCounters counters;
    private final InstantSource clock;
    private final StorePartitions partitions;
    private final PartitionCircuits circuits;
    private final SeenIntents seen = new SeenIntents();
    private final MalformedCount malformed = new MalformedCount();
    private final RelayMemory memory;
    private final Outbox guarded;
    private final IntentStep step;

    /**
     * Where intents are.
     *
     * @param outbox reads them and notes what became of them
     * @param partitions of the store
     * @param clock the store's time
     */
    public record Store(Outbox outbox, StorePartitions partitions, InstantSource clock) {}

    /**
     * Drains sources of a store.
     *
     * @param memory the share of the heap that large intents may take
     */
    public SourceDrains(Store store, RelayConfig.Delivery config, DeliveryCounters counters, RelayMemory memory) {
        this.counters = counters;
        this.clock = store.clock();
        this.memory = memory;
        this.partitions = store.partitions();
        this.circuits = new PartitionCircuits(partitions, memory);
        this.guarded = new GuardedOutbox(store.outbox(), circuits, memory, this::recordSlice);
        var policy = DeliveryPolicy.of(config);
        var parking = DeliveryPolicy.backoff(config.backoff().withFirstAtLeast(MIN_PARKING));
        this.step = new IntentStep(guarded, policy, parking, counters, clock);
    }

    private void recordSlice(String source, IntentSlice slice, boolean first) {
        seen.remember(slice);
        malformed.record(source, slice.malformed(), first);
    }

    /** A drain that delivers pairs on these threads, and leaves out those that are slow. */
    SourceDrain on(PairThreads pairs, SlowPairs slow) {
        return new SourceDrain(guarded, new PairRounds(step, pairs, slow, clock), memory, clock);
    }

    /** The places of each partition of the store among so many threads. */
    PartitionPlaces places(int threads) {
        return new PartitionPlaces(partitions, threads);
    }

    /** Whether no drain has read this version of an intent, as far as remembered. */
    boolean isNew(String documentId, String etag) {
        return seen.isNew(documentId, etag);
    }

    /** A sweep begins: a source that it does not find until its end has no intents. */
    void beginSweep() {
        malformed.beginSweep();
    }

    /** The sweep under way has found these sources. */
    void confirmSwept(Set<String> sources) {
        malformed.confirm(sources);
    }

    /** The sweep has reached its end. */
    void endSweep() {
        malformed.endSweep();
    }

    /** The partitions to which nothing can be delivered. */
    List<UnavailablePartition> unavailable() {
        return circuits.unavailable();
    }

    RelayStatus.Intents status(int sources) {
        return counters.status(sources, malformed.total(), circuits.worst());
    }
}
