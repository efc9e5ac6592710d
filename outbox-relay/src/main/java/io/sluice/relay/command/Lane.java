package io.sluice.relay.command;

import io.sluice.relay.command.CommandBatch.Entry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Commands of one instance on their way into the store, one after the other. The consumer's thread may end it while a
 * request is under way; then that request is the last. One worker settles it; thread-safe.
 */
final class Lane {
    /** After this time, or so many tries, a command that the store does not take holds no other up. */
    static final Duration BOUND = Duration.ofMillis(500);

    /** The same next to another instance that was tried in vain. */
    static final Duration BOUND_OF_SUSPECT = Duration.ofMillis(150);

    static final int TRIES = 3;

    private final List<Entry> entries;
    private final long floor;
    private final boolean isPatient;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private volatile boolean ended;
    private volatile boolean begun;
    private volatile long begunNanos;
    private volatile int failures;
    private boolean told;

    /**
     * Commands that are settled with the first try on.
     *
     * @param floor no command is queued at or before this time (milliseconds), so that they stay in order
     * @param isPatient whether a command is tried again after a transient failure; otherwise that ends the lane
     */
    Lane(List<Entry> entries, long floor, boolean isPatient) {
        this.entries = List.copyOf(entries);
        this.floor = floor;
        this.isPatient = isPatient;
    }

    List<Entry> entries() {
        return entries;
    }

    long floor() {
        return floor;
    }

    /** Completes when no request of it is under way any more, and none will be. */
    CompletableFuture<Void> done() {
        return done;
    }

    /** Its worker begins with a command. */
    void begin() {
        failures = 0;
        begunNanos = System.nanoTime();
        begun = true;
    }

    /** Whether its worker may send a request for a command. */
    boolean mayTry(Entry entry) {
        return !ended && !entry.isAbandoned();
    }

    /**
     * A request failed, and may succeed later.
     *
     * @return how often in a row, for the same command; 0 if it is not to be tried again
     */
    int failed() {
        int now = failures + 1;
        failures = now;
        return isPatient ? now : 0;
    }

    /** No further request is sent. */
    void end() {
        ended = true;
    }

    /** Whether a worker has begun with it. */
    boolean isBegun() {
        return begun;
    }

    /** How long its present command has been tried. */
    Duration age() {
        return begun && !done.isDone() ? Duration.ofNanos(System.nanoTime() - begunNanos) : Duration.ZERO;
    }

    /**
     * Whether its present command has been tried for long enough, or often enough.
     *
     * @param isSuspect whether another instance of the same part of the store was tried in vain just now
     */
    boolean isOverdue(boolean isSuspect) {
        return failures >= (isSuspect ? 1 : TRIES) || age().compareTo(isSuspect ? BOUND_OF_SUSPECT : BOUND) > 0;
    }

    /** Whether this is the first to ask: what it tells of its part of the store was true when it ended. */
    boolean takeNews() {
        boolean isFirst = !told;
        told = true;
        return isFirst;
    }

    /** Its first command that is not settled; null if all are. */
    @Nullable
    Entry firstOpen() {
        return entries.stream()
                .filter(entry -> entry.outcome() == null)
                .findFirst()
                .orElse(null);
    }
}
