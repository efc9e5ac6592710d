package io.sluice.provider.kafka;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ends the waits of a loop. Thread-safe. */
final class StopSignal {
    private final CountDownLatch stopped = new CountDownLatch(1);

    void stop() {
        stopped.countDown();
    }

    boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /** Returns after this time, or at once when the loop is to stop. */
    void await(Duration time) {
        try {
            boolean unused = stopped.await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            stopped.countDown(); // the thread is the feed's own, and only closing interrupts it
        }
    }
}
