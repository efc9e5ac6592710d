package io.sluice.durabletask.dispatch;

import io.sluice.durabletask.turn.Pauses;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Rests between tries that fail one after another, which the closing of the host ends. One thread's. */
final class Rests {
    private final Pauses pauses;
    private final CountDownLatch closed;
    private int failures = 1;

    Rests(Pauses pauses, CountDownLatch closed) {
        this.pauses = pauses;
        this.closed = closed;
    }

    /** How long the next one is. */
    Duration next() {
        return pauses.after(failures);
    }

    /** Rests; true when the host closes. */
    boolean isClosedAfterRest() throws InterruptedException {
        Duration rest = next();
        failures++;
        return closed.await(rest.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A try has succeeded: the next rest is the first again. */
    void reset() {
        failures = 1;
    }
}
