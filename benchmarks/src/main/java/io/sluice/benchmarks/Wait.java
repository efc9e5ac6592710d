package io.sluice.benchmarks;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Lets time pass: measuring idleness is waiting. */
final class Wait {
    private static final Duration MOST = Duration.ofMinutes(3);
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(20);

    private Wait() {}

    /** Returns after so long, not before. */
    static void during(Duration duration) {
        long endNanos = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = endNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /**
     * Returns when the condition holds.
     *
     * @throws IllegalStateException when it does not within minutes
     */
    static void until(String condition, BooleanSupplier holds) {
        long deadlineNanos = System.nanoTime() + MOST.toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException("within " + MOST + " not yet: " + condition);
            }
            during(CHECK_INTERVAL);
        }
    }
}
