package io.sluice.accountkit.check;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for something that only asking tells. */
public final class Wait {
    private static final Duration USUAL_PAUSE = Duration.ofMillis(250);

    private Wait() {}

    /** Asks four times a second; whether it came to be in time. */
    public static boolean until(BooleanSupplier condition, Duration patience) throws InterruptedException {
        return until(condition, patience, USUAL_PAUSE);
    }

    /** Asks with pauses of so long; whether it came to be in time. */
    public static boolean until(BooleanSupplier condition, Duration patience, Duration pause)
            throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0 || never.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                return false;
            }
        }
        return true;
    }
}
