package io.sluice.relay.delivery;

import io.sluice.provider.outbox.Intent;
import io.sluice.relay.partition.CircuitState;
import io.sluice.relay.status.RelayStatus;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Counts what delivery does. Thread-safe. */
public final class DeliveryCounters {
    private static final String MESSAGE = "orch_queue";

    private final LongAdder delivered = new LongAdder();
    private final LongAdder retried = new LongAdder();
    private final LongAdder parked = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicLong latestLatencyMillis = new AtomicLong();
    private final LongConsumer latencies;
    private final Runnable onFailed;
    private final Consumer<String> targets;

    /** The same, for nobody who wants to hear of targets. */
    public DeliveryCounters(LongConsumer latencies, Runnable onFailed) {
        this(latencies, onFailed, target -> {});
    }

    /**
     * Begins at zero.
     *
     * @param latencies receives the milliseconds from creation to delivery of every intent
     * @param onFailed runs after every intent that was given up
     * @param targets receives each instance to which a message was delivered; must return at once
     */
    public DeliveryCounters(LongConsumer latencies, Runnable onFailed, Consumer<String> targets) {
        this.latencies = latencies;
        this.onFailed = onFailed;
        this.targets = targets;
    }

    void recordDelivered(Intent intent, long nowMillis) {
        if (intent.targetDocumentType().equals(MESSAGE)) {
            targets.accept(intent.targetInstance());
        }
        long latencyMillis = nowMillis - intent.createdAtMillis();
        delivered.increment();
        latestLatencyMillis.set(latencyMillis);
        latencies.accept(latencyMillis);
    }

    void recordRetried() {
        retried.increment();
    }

    void recordParked() {
        parked.increment();
    }

    void recordFailed() {
        failed.increment();
        onFailed.run();
    }

    void beginDelivery() {
        underWay.incrementAndGet();
    }

    /** A delivery has ended, with or without success. */
    void endDelivery() {
        underWay.decrementAndGet();
    }

    RelayStatus.Intents status(int sources, int malformed, CircuitState circuit) {
        return new RelayStatus.Intents(
                delivered.sum(),
                retried.sum(),
                parked.sum(),
                failed.sum(),
                sources,
                malformed,
                latestLatencyMillis.get(),
                new RelayStatus.Dispatches(null, underWay.get(), null, null, circuit.label()));
    }
}
