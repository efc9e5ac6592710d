package io.sluice.relay.ops;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to rest before trying again: doubling from the first rest to the longest, each shortened by chance by up to
 * half, so that those who failed together don't come back together. Pure but for the random source; thread-safe when
 * that is.
 */
public final class Backoff {
    private static final int MOST_DOUBLINGS = 30;

    private final Duration first;
    private final Duration longest;
    private final RandomGenerator random;

    public Backoff(Duration first, Duration longest, RandomGenerator random) {
        this.first = first;
        this.longest = longest;
        this.random = random;
    }

    /**
     * The rest after so many failures in a row.
     *
     * @param failures from 1
     */
    public Duration after(int failures) {
        long doubled = first.toMillis() << Math.min(Math.max(failures, 1) - 1, MOST_DOUBLINGS);
        long whole = Math.max(1, Math.min(doubled, longest.toMillis()));
        return Duration.ofMillis(whole - (long) (random.nextDouble() * whole / 2));
    }
}
