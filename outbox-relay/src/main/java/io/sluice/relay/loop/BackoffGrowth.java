package io.sluice.relay.loop;

/** How the wait before a retry grows with the failures in a row. */
public enum BackoffGrowth {
    /** Not at all. */
    FIXED,
    /** By the first wait each time. */
    LINEAR,
    /** Doubling. */
    EXPONENTIAL;

    private static final int MAX_DOUBLINGS = 30;

    /** @param failures from 1 */
    long after(int failures, long firstMillis) {
        return switch (this) {
            case FIXED -> firstMillis;
            case LINEAR -> firstMillis * failures;
            case EXPONENTIAL -> firstMillis << Math.min(failures - 1, MAX_DOUBLINGS);
        };
    }
}
