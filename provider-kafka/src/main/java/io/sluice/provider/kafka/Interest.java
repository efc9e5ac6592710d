package io.sluice.provider.kafka;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether dispatchers look for the work of a subscription. A member of a group that nobody looks through is told of its
 * share of the work nevertheless, and other members are not. Thread-safe.
 */
final class Interest {
    private final long lastsNanos;
    private final LongSupplier nanoTime;
    private int fetches;
    private long endedNanos;

    /**
     * Begins as if a fetch had just ended.
     *
     * @param lasts how long interest lasts after a fetch
     */
    Interest(Duration lasts, LongSupplier nanoTime) {
        this.lastsNanos = lasts.toNanos();
        this.nanoTime = nanoTime;
        this.endedNanos = nanoTime.getAsLong();
    }

    synchronized void fetchBegan() {
        fetches++;
    }

    synchronized void fetchEnded() {
        fetches--;
        endedNanos = nanoTime.getAsLong();
    }

    /** Whether a dispatcher looks, or has looked a while ago. */
    synchronized boolean isThere() {
        return fetches > 0 || nanoTime.getAsLong() - endedNanos < lastsNanos;
    }
}
