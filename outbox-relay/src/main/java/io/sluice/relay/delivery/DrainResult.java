package io.sluice.relay.delivery;

/**
 * What remains to be done at a source after it was drained.
 *
 * @param nextMillis when the source is due again, {@link SourceQueue#NEVER} when nothing is left
 * @param inTrouble whether a request failed in a way that may pass; the caller then chooses the time of the next try
 * @param notBeforeMillis the earliest time of the next try that the store allows
 */
record DrainResult(long nextMillis, boolean inTrouble, long notBeforeMillis) {
    static final DrainResult NOTHING_LEFT = new DrainResult(SourceQueue.NEVER, false, 0);
    static final DrainResult TROUBLE = new DrainResult(SourceQueue.NEVER, true, 0);

    static DrainResult dueAt(long millis) {
        return new DrainResult(millis, false, 0);
    }

    static DrainResult troubleUntil(long millis) {
        return new DrainResult(SourceQueue.NEVER, true, millis);
    }

    DrainResult merge(DrainResult other) {
        return new DrainResult(
                Math.min(nextMillis, other.nextMillis),
                inTrouble || other.inTrouble,
                Math.max(notBeforeMillis, other.notBeforeMillis));
    }

    /** When the source is due again if the caller tries what failed at {@code retryMillis}. */
    long nextMillis(long retryMillis) {
        return Math.min(nextMillis, Math.max(retryMillis, notBeforeMillis));
    }
}
