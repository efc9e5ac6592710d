package io.sluice.relay.loop;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next retry. Random jitter shortens each wait, so that requests that failed together are
 * not repeated together. Thread-safe if the random source is.
 *
 * @param jitter the part of a wait that chance may take, 0 to 1
 */
public record RetryBackoff(
        BackoffGrowth growth, Duration first, Duration longest, double jitter, RandomGenerator random) {
    private static final double HALF = 0.5;

    /** Exponential, with a jitter of a half. */
    public RetryBackoff(Duration first, Duration longest, RandomGenerator random) {
        this(BackoffGrowth.EXPONENTIAL, first, longest, HALF, random);
    }

    /**
     * The wait after a number of failures in a row.
     *
     * @param failures from 1
     */
    public Duration after(int failures) {
        long grown = growth.after(Math.max(failures, 1), first.toMillis());
        long whole = Math.max(1, Math.min(grown, longest.toMillis()));
        return Duration.ofMillis(whole - (long) (random.nextDouble() * whole * jitter));
    }
}
