package io.sluice.relay.loop;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to rest before trying again, each rest shortened by chance, so that those who failed together don't come
 * back together. Pure but for the random source; thread-safe when that is.
 */
public final class RetryBackoff {
    private static final int MOST_DOUBLINGS = 30;
    private static final double HALF = 0.5;

    private final Shape shape;
    private final RandomGenerator random;

    /** How rests grow. */
    public enum Kind {
        /** Always the first rest. */
        FIXED,
        /** By the first rest each time. */
        LINEAR,
        /** Doubling each time. */
        EXPONENTIAL
    }

    /**
     * Which rests.
     *
     * @param first the rest after the first failure
     * @param longest no rest is longer
     * @param jitter which part of a rest chance may take away, 0 to 1
     */
    public record Shape(Kind kind, Duration first, Duration longest, double jitter) {
        public Shape {
            if (!(jitter >= 0 && jitter <= 1)) {
                throw new IllegalArgumentException("jitter must be 0 to 1, was " + jitter);
            }
        }

        /** The same, with a first rest of at least this. */
        public Shape startingAt(Duration least) {
            return new Shape(kind, first.compareTo(least) < 0 ? least : first, longest, jitter);
        }
    }

    public RetryBackoff(Shape shape, RandomGenerator random) {
        this.shape = shape;
        this.random = random;
    }

    /** Doubling, each shortened by up to half. */
    public RetryBackoff(Duration first, Duration longest, RandomGenerator random) {
        this(new Shape(Kind.EXPONENTIAL, first, longest, HALF), random);
    }

    /**
     * The rest after so many failures in a row.
     *
     * @param failures from 1
     */
    public Duration after(int failures) {
        long whole = Math.max(
                1, Math.min(grown(Math.max(failures, 1)), shape.longest().toMillis()));
        return Duration.ofMillis(whole - (long) (random.nextDouble() * whole * shape.jitter()));
    }

    private long grown(int failures) {
        long first = shape.first().toMillis();
        return switch (shape.kind()) {
            case FIXED -> first;
            case LINEAR -> first * failures;
            case EXPONENTIAL -> first << Math.min(failures - 1, MOST_DOUBLINGS);
        };
    }
}
