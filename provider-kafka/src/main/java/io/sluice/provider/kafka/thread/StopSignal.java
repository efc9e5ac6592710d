package io.sluice.provider.kafka.thread;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ends the waits of a loop. Thread-safe. */
public final class StopSignal {
    private final CountDownLatch stopped = new CountDownLatch(1);

    public void stop() {
        stopped.countDown();
    }

    public boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /** Returns after this time, or at once when the loop is to stop. */
    public void await(Duration time) {
        try {
            boolean unused = stopped.await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            stopped.countDown(); // the thread is the feed's own, and only closing interrupts it
        }
    }
}
