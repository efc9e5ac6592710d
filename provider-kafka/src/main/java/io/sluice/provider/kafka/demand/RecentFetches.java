package io.sluice.provider.kafka.demand;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether dispatchers fetch the work of a subscription, or did so recently. A member of a group whose process fetches
 * nothing receives its share of the announcements nevertheless, and other members do not. Thread-safe.
 */
public final class RecentFetches {
    private final long lastsNanos;
    private final LongSupplier nanoTime;
    private int fetches;
    private long endedNanos;

    /**
     * Begins as if a fetch had just ended.
     *
     * @param lasts how long a fetch counts as recent after its end
     */
    public RecentFetches(Duration lasts, LongSupplier nanoTime) {
        this.lastsNanos = lasts.toNanos();
        this.nanoTime = nanoTime;
        this.endedNanos = nanoTime.getAsLong();
    }

    /** A dispatcher begins to fetch. */
    public synchronized void fetchBegan() {
        fetches++;
    }

    /** It has ended. */
    public synchronized void fetchEnded() {
        fetches--;
        endedNanos = nanoTime.getAsLong();
    }

    /** Whether a dispatcher fetches, or has fetched recently. */
    public synchronized boolean hasAny() {
        return fetches > 0 || nanoTime.getAsLong() - endedNanos < lastsNanos;
    }
}
