package io.sluice.durabletask.dispatch;

import java.time.Duration;

/**
 * Times of the dispatch.
 *
 * @param lock how long an item is locked for
 * @param renewal how often the lock is renewed
 * @param farewell how long what a worker holds is kept for it when it ends its stream, but not its connection:
 *     some answer after that
 * @param poll how long a dispatcher waits for work before it asks again what workers take
 */
public record DispatchTiming(Duration lock, Duration renewal, Duration farewell, Duration poll) {
    private static final Duration LONGEST_TICK = Duration.ofSeconds(1);
    private static final int RENEWALS = 3;
    private static final Duration SHORTEST_RENEWAL = Duration.ofMillis(100);

    /** 30 s, 10 s, 1 s and 1 s. */
    public static final DispatchTiming USUAL = new DispatchTiming(
            Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(1), Duration.ofSeconds(1));

    public DispatchTiming {
        if (lock.compareTo(Duration.ofSeconds(1)) < 0
                || renewal.compareTo(SHORTEST_RENEWAL) < 0
                || renewal.multipliedBy(2).compareTo(lock) > 0) {
            throw new IllegalArgumentException(
                    "lock must be at least a second and twice the renewal, which must be at least " + SHORTEST_RENEWAL
                            + ", were " + lock + " and " + renewal);
        }
    }

    /** The same with locks of this length, renewed every third of it. */
    public DispatchTiming withLock(Duration length) {
        return new DispatchTiming(length, length.dividedBy(RENEWALS), farewell, poll);
    }

    /** How often locks to renew are searched for: twice within a renewal, so that a short lock is not missed. */
    Duration tick() {
        Duration half = renewal.dividedBy(2);
        return half.compareTo(LONGEST_TICK) > 0 ? LONGEST_TICK : half;
    }
}
