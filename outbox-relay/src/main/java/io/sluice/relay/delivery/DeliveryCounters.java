package io.sluice.relay.delivery;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/** What delivery has done so far. Thread-safe. */
final class DeliveryCounters {
    private final LongAdder delivered = new LongAdder();
    private final LongAdder retried = new LongAdder();
    private final LongAdder parked = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicLong latestLatencyMillis = new AtomicLong();
    private final LongConsumer latencies;

    /** Hands the milliseconds from creation to delivery of every intent on. */
    DeliveryCounters(LongConsumer latencies) {
        this.latencies = latencies;
    }

    void delivered(long latencyMillis) {
        delivered.increment();
        latestLatencyMillis.set(latencyMillis);
        latencies.accept(latencyMillis);
    }

    void retried() {
        retried.increment();
    }

    void failed() {
        failed.increment();
    }

    void parked() {
        parked.increment();
    }

    /** A delivery begins. */
    void sending() {
        sent.incrementAndGet();
    }

    /** A delivery has ended, one way or the other. */
    void ended() {
        sent.decrementAndGet();
    }

    DeliveryStatus status(int sources, int malformed, String circuit) {
        return new DeliveryStatus(
                delivered.sum(),
                retried.sum(),
                parked.sum(),
                failed.sum(),
                sources,
                malformed,
                sent.get(),
                circuit,
                latestLatencyMillis.get());
    }
}
