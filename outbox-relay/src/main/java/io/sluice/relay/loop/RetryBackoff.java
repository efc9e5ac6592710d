package io.sluice.relay.loop;

import io.sluice.relay.RelayConfig;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next retry. Random jitter shortens each wait, so that requests that failed together are
 * not repeated together. Thread-safe if the random source is.
 */
public final class RetryBackoff {
    private static final int MAX_DOUBLINGS = 30;
    private static final double HALF = 0.5;

    private final RelayConfig.Backoff config;
    private final RandomGenerator random;

    public RetryBackoff(RelayConfig.Backoff config, RandomGenerator random) {
        this.config = config;
        this.random = random;
    }

    /** Exponential, with a jitter of a half. */
    public RetryBackoff(Duration first, Duration longest, RandomGenerator random) {
        this(new RelayConfig.Backoff(RelayConfig.BackoffKind.EXPONENTIAL, first, longest, HALF), random);
    }

    /**
     * The wait after a number of failures in a row.
     *
     * @param failures from 1
     */
    public Duration after(int failures) {
        long whole = Math.max(
                1, Math.min(grown(Math.max(failures, 1)), config.longest().toMillis()));
        return Duration.ofMillis(whole - (long) (random.nextDouble() * whole * config.jitter()));
    }

    private long grown(int failures) {
        long first = config.first().toMillis();
        return switch (config.kind()) {
            case FIXED -> first;
            case LINEAR -> first * failures;
            case EXPONENTIAL -> first << Math.min(failures - 1, MAX_DOUBLINGS);
        };
    }
}
