package io.sluice.benchmarks.harness;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Lets time pass: measuring idleness is waiting. */
public final class Pause {
    private Pause() {}

    /** Returns after so long, not before. */
    public static void of(Duration duration) {
        long endNanos = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = endNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
