package io.sluice.durabletask.dispatch;

import java.time.Duration;

/**
 * Times of the dispatch.
 *
 * @param lock how long an item is locked for
 * @param renewal how often the lock is renewed
 * @param farewell how long what a worker has in hand is kept for it when it ends its stream, but not its connection:
 *     some answer after that
 * @param poll how long a dispatcher waits for work before it asks again what workers take
 */
public record DispatchTiming(Duration lock, Duration renewal, Duration farewell, Duration poll) {
    /** 30 s, 10 s, 1 s and 1 s. */
    public static final DispatchTiming USUAL = new DispatchTiming(
            Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(1), Duration.ofSeconds(1));

    public DispatchTiming {
        if (lock.compareTo(Duration.ofSeconds(1)) < 0
                || renewal.isNegative()
                || renewal.multipliedBy(2).compareTo(lock) > 0) {
            throw new IllegalArgumentException(
                    "lock must be at least a second and twice the renewal, were " + lock + " and " + renewal);
        }
    }
}
