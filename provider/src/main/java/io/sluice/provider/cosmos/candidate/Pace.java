package io.sluice.provider.cosmos.candidate;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Says when to query the store next: at once after work was found or announced, and after growing rests while there is
 * none. Guarded by its owner's lock.
 */
final class Pace {
    private final LongSupplier nanoTime;
    private final long firstNanos;
    private final long longestNanos;
    private long nextNanos;
    private long restNanos;

    Pace(LongSupplier nanoTime, SearchRests rests) {
        this.firstNanos = rests.first().toNanos();
        this.longestNanos = rests.longest().toNanos();
        this.restNanos = firstNanos;
        this.nanoTime = nanoTime;
        this.nextNanos = nanoTime.getAsLong();
    }

    boolean isTimeToAsk() {
        return nanosLeft() <= 0;
    }

    long nanosLeft() {
        return nextNanos - nanoTime.getAsLong();
    }

    /** There is, or may be, work now. */
    void hurry() {
        nextNanos = nanoTime.getAsLong();
        restNanos = firstNanos;
    }

    /** There may be work soon. */
    void hurrySoon() {
        nextNanos = Math.min(nextNanos, nanoTime.getAsLong() + firstNanos);
        restNanos = firstNanos;
    }

    /** There was work, and all of it is known. */
    void rest() {
        restNanos = firstNanos;
        nextNanos = nanoTime.getAsLong() + restNanos;
    }

    /** Work is announced; the next query is a precaution. */
    void restFor(Duration rest) {
        restNanos = firstNanos;
        nextNanos = nanoTime.getAsLong() + rest.toNanos();
    }

    /** There was no work. */
    void restLonger() {
        nextNanos = nanoTime.getAsLong() + restNanos;
        restNanos = Math.min(longestNanos, restNanos * 2);
    }
}
