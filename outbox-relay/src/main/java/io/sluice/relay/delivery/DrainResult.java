package io.sluice.relay.delivery;

/**
 * What remains to be done at a source after it was drained.
 *
 * @param nextMillis when the source is due again, {@link SourceQueue#NEVER} when nothing is left
 * @param hasFailed whether a request failed in a way that may pass; the caller then chooses the time of the next try
 * @param notBeforeMillis the earliest time of the next try that the store allows
 */
record DrainResult(long nextMillis, boolean hasFailed, long notBeforeMillis) {
    static final DrainResult NOTHING_LEFT = new DrainResult(SourceQueue.NEVER, false, 0);
    static final DrainResult FAILED = new DrainResult(SourceQueue.NEVER, true, 0);

    static DrainResult dueAt(long millis) {
        return new DrainResult(millis, false, 0);
    }

    static DrainResult failedUntil(long millis) {
        return new DrainResult(SourceQueue.NEVER, true, millis);
    }

    DrainResult merge(DrainResult other) {
        return new DrainResult(
                Math.min(nextMillis, other.nextMillis),
                hasFailed || other.hasFailed,
                Math.max(notBeforeMillis, other.notBeforeMillis));
    }

    /** When the source is due again if the caller tries what failed at {@code retryMillis}. */
    long nextMillis(long retryMillis) {
        return Math.min(nextMillis, Math.max(retryMillis, notBeforeMillis));
    }
}
