package io.sluice.durabletask.dispatch;

import io.sluice.durabletask.turn.Pauses;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits between tries that fail one after another; the closing of the host ends a wait. One thread's. */
final class RetryPauses {
    private final Pauses pauses;
    private final CountDownLatch closed;
    private int failures = 1;

    RetryPauses(Pauses pauses, CountDownLatch closed) {
        this.pauses = pauses;
        this.closed = closed;
    }

    /** How long the next one is. */
    Duration next() {
        return pauses.after(failures);
    }

    /** Waits; true when the host closes. */
    boolean awaitNextOrClose() throws InterruptedException {
        Duration pause = next();
        failures++;
        return closed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A try has succeeded: the next pause is the first again. */
    void reset() {
        failures = 1;
    }
}
