package io.sluice.relay.loop;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A request to stop, given once. A thread that rests on it wakes at once; a thread that works finishes its step.
 * Thread-safe.
 */
public final class StopRequest {
    private final CountDownLatch requested = new CountDownLatch(1);

    /** Asks for the stop; asking again changes nothing. */
    public void request() {
        requested.countDown();
    }

    /** Whether the stop was asked for. */
    public boolean isRequested() {
        return requested.getCount() == 0;
    }

    /**
     * Rests for a while, less when the stop is asked for meanwhile.
     *
     * @return whether the stop was asked for
     * @throws InterruptedException when the thread is interrupted
     */
    public boolean rest(Duration rest) throws InterruptedException {
        return requested.await(rest.toNanos(), TimeUnit.NANOSECONDS);
    }
}
