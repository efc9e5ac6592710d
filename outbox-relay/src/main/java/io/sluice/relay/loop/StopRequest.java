package io.sluice.relay.loop;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A request to stop. A thread that waits on it wakes up at once; a thread that works finishes its step.
 * Thread-safe.
 */
public final class StopRequest {
    private final CountDownLatch requested = new CountDownLatch(1);

    /** Requests the stop; further requests change nothing. */
    public void request() {
        requested.countDown();
    }

    /** Whether the stop was requested. */
    public boolean isRequested() {
        return requested.getCount() == 0;
    }

    /**
     * Waits for a while, or until the stop is requested.
     *
     * @return whether the stop was requested
     * @throws InterruptedException when the thread is interrupted
     */
    public boolean await(Duration time) throws InterruptedException {
        return requested.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }
}
