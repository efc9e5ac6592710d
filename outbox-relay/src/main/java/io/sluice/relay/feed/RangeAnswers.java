package io.sluice.relay.feed;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** How a range has answered lately, to all that read it. Thread-safe. */
final class RangeAnswers {
    private static final int SLOW_AFTER = 2;

    private final AtomicInteger late = new AtomicInteger();
    private final AtomicBoolean isPlaceTaken = new AtomicBoolean();

    /** Whether the last answer came in time. */
    boolean isQuick() {
        return late.get() == 0;
    }

    /** Whether the last two answers came late or not at all, or the last read failed. */
    boolean isSlow() {
        return late.get() >= SLOW_AFTER;
    }

    /** An answer has come. */
    void answered(boolean inTime) {
        if (inTime) {
            late.set(0);
        } else {
            late.incrementAndGet();
        }
    }

    /** A read has failed. */
    void failed() {
        late.set(SLOW_AFTER);
    }

    /** Takes the one place that a range may hold among the quick ones; whether it was free. */
    boolean tryTakePlace() {
        return isPlaceTaken.compareAndSet(false, true);
    }

    /** Gives that place back. */
    void givePlaceBack() {
        isPlaceTaken.set(false);
    }
}
