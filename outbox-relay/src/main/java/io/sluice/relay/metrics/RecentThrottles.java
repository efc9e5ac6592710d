package io.sluice.relay.metrics;

import java.time.Duration;

/** Tells requests that are throttled again and again from one that was once. Thread-safe. */
final class RecentThrottles {
    private static final int MANY = 10;
    private static final long WITHIN_NANOS = Duration.ofMinutes(1).toNanos();

    private final long[] latest = new long[MANY];
    private long count;

    /** A request was throttled at this time of a monotonic clock. */
    synchronized void met(long nanos) {
        latest[(int) (count++ % MANY)] = nanos;
    }

    /** Whether the last of them were all within a minute before this time. */
    synchronized boolean isMany(long nanos) {
        return count >= MANY && nanos - latest[(int) (count % MANY)] <= WITHIN_NANOS;
    }
}
