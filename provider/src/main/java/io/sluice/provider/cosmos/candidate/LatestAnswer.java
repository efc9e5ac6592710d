package io.sluice.provider.cosmos.candidate;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * The answer of the latest query: its candidates that were not handed out yet, and the waits that may end by it.
 * Guarded by its owner's lock.
 */
final class LatestAnswer<C extends Candidate> {
    private static final long FRESH_NANOS = Duration.ofMillis(500).toNanos();

    private final LongSupplier nanoTime;
    private final Deque<C> candidates = new ArrayDeque<>();
    private long receivedNanos;
    private long sentNanos;
    private long completeSentNanos;
    private boolean isComplete;
    private long generation;

    LatestAnswer(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.sentNanos = nanoTime.getAsLong();
    }

    /**
     * The candidates that were not handed out yet, as long as they are fresh.
     *
     * @param isLast whether no other query follows soon, so that all are kept
     */
    Deque<C> candidates(boolean isLast) {
        if (!isLast && !candidates.isEmpty() && nanoTime.getAsLong() - receivedNanos > FRESH_NANOS) {
            // No dispatcher had time for them, so no wait ends by the query that found them.
            drop();
        }
        return candidates;
    }

    /** Whether no candidates are left, be they fresh or not. */
    boolean isEmpty() {
        return candidates.isEmpty();
    }

    /**
     * Takes over what a query found. Returns false when a query that was sent later has answered before.
     *
     * @param isForAll whether the query searched everything, for every wait
     */
    boolean tryAccept(Found<C> found, long sentAtNanos, boolean isForAll) {
        if (sentAtNanos - sentNanos < 0) {
            return false;
        }
        sentNanos = sentAtNanos;
        candidates.clear();
        candidates.addAll(found.candidates());
        receivedNanos = nanoTime.getAsLong();
        if (found.exhaustive() && isForAll) {
            completeSentNanos = sentAtNanos;
            isComplete = true;
        }
        return true;
    }

    /** Drops the candidates; no wait ends by the query that found them. */
    void drop() {
        candidates.clear();
        isComplete = false;
        generation++;
    }

    /** Whether a wait that began then may end when no candidates are left. */
    boolean answers(long beganNanos) {
        return isComplete && completeSentNanos - beganNanos >= 0;
    }

    /** Changes with every {@link #drop}. */
    long generation() {
        return generation;
    }
}
