package io.sluice.relay;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A signal on which the loops of a test rest, so that a rest ends when the signal is given. Thread-safe. */
public final class StopSignal {
    private final CountDownLatch given = new CountDownLatch(1);

    public void give() {
        given.countDown();
    }

    public boolean isGiven() {
        return given.getCount() == 0;
    }

    /** Rests for this long, or until the signal is given; says whether it is. */
    public boolean restFor(Duration rest) throws InterruptedException {
        return given.await(rest.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Rests until {@link System#nanoTime} has this value, or until the signal is given; says whether it is. */
    public boolean restUntil(long nanoTime) throws InterruptedException {
        return given.await(nanoTime - System.nanoTime(), TimeUnit.NANOSECONDS);
    }
}
