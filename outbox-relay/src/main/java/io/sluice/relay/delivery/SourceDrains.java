package io.sluice.relay.delivery;

import io.sluice.provider.outbox.IntentSlice;
import io.sluice.relay.RelayConfig;
import io.sluice.relay.RelayStatus;
import io.sluice.relay.control.RelayMemory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Makes drains of sources that share one guarded outbox, and remembers what these drains have read and done.
 * Thread-safe.
 */
public final class SourceDrains {
    private static final Duration CIRCUIT_REST = Duration.ofSeconds(1);
    private static final Duration MIN_PARKING = Duration.ofSeconds(1);

    private final DeliveryCounters counters;
    private final InstantSource clock;
    private final StoreCircuitBreaker circuit = new StoreCircuitBreaker(CIRCUIT_REST);
    private final SeenIntents seen = new SeenIntents();
    private final MalformedCount malformed = new MalformedCount();
    private final RelayMemory memory;
    private final Outbox guarded;
    private final IntentStep step;

    /**
     * Drains sources of a store.
     *
     * @param memory the share of the heap that large intents may take
     */
    public SourceDrains(
            StoreOutbox outbox,
            RelayConfig.Delivery config,
            DeliveryCounters counters,
            RelayMemory memory,
            InstantSource clock) {
        this((Outbox) outbox, config, counters, memory, clock);
    }

    SourceDrains(
            Outbox outbox,
            RelayConfig.Delivery config,
            DeliveryCounters counters,
            RelayMemory memory,
            InstantSource clock) {
        this.counters = counters;
        this.clock = clock;
        this.memory = memory;
        this.guarded = new GuardedOutbox(outbox, circuit, memory, this::recordSlice);
        var policy = DeliveryPolicy.of(config);
        var parking = DeliveryPolicy.backoff(config.backoff().withFirstAtLeast(MIN_PARKING));
        this.step = new IntentStep(guarded, policy, parking, counters, clock);
    }

    private void recordSlice(String source, IntentSlice slice, boolean first) {
        seen.remember(slice);
        malformed.record(source, slice.malformed(), first);
    }

    /** A drain that delivers pairs on these threads. */
    SourceDrain on(Executor pairs) {
        return new SourceDrain(guarded, pairs, step, memory, clock);
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

    CircuitState circuit() {
        return circuit.state();
    }

    RelayStatus.Intents status(int sources) {
        return counters.status(sources, malformed.total(), circuit.state());
    }
}
