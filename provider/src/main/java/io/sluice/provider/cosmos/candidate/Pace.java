package io.sluice.provider.cosmos.candidate;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Says when to query the store next: at once after work was found or announced, and after growing rests while there is
 * none. Guarded by its owner's lock.
 */
final class Pace {
    private static final long FIRST_REST_MILLIS = 32;
    private static final long LONGEST_REST_MILLIS = 1_000;

    private final LongSupplier nanoTime;
    private long nextNanos;
    private long restMillis = FIRST_REST_MILLIS;

    Pace(LongSupplier nanoTime) {
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
        restMillis = FIRST_REST_MILLIS;
    }

    /** There may be work soon. */
    void hurrySoon() {
        nextNanos = Math.min(nextNanos, nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(FIRST_REST_MILLIS));
        restMillis = FIRST_REST_MILLIS;
    }

    /** There was work, and all of it is known. */
    void rest() {
        restMillis = FIRST_REST_MILLIS;
        nextNanos = nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(restMillis);
    }

    /** Work is announced; the next query is a precaution. */
    void restFor(Duration rest) {
        restMillis = FIRST_REST_MILLIS;
        nextNanos = nanoTime.getAsLong() + rest.toNanos();
    }

    /** There was no work. */
    void restLonger() {
        nextNanos = nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(restMillis);
        restMillis = Math.min(LONGEST_REST_MILLIS, restMillis * 2);
    }
}
