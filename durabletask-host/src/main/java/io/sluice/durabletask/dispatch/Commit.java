package io.sluice.durabletask.dispatch;

import io.grpc.Status;
import io.sluice.provider.ProviderException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tries to write an answer for as long as the lock of what it answers lives. */
final class Commit {
    private static final long FIRST_REST_MILLIS = 50;
    private static final long LONGEST_REST_MILLIS = 1_000;

    private final CountDownLatch closed;

    Commit(CountDownLatch closed) {
        this.closed = closed;
    }

    /**
     * Writes.
     *
     * @throws io.grpc.StatusRuntimeException ABORTED when it was refused for good, so that the work is dispatched
     *     again; UNAVAILABLE when the store could not be reached in time, or the host closes
     */
    void run(Runnable write, LockEnd lock) {
        long rest = FIRST_REST_MILLIS;
        while (true) {
            try {
                write.run();
                return;
            } catch (ProviderException e) {
                if (!e.retryable()) {
                    throw Status.ABORTED
                            .withDescription(e.getMessage())
                            .withCause(e)
                            .asRuntimeException();
                }
                if (lock.left().toMillis() <= rest || isClosedAfter(rest)) {
                    throw Status.UNAVAILABLE
                            .withDescription(
                                    "the store can't be reached, the work will be dispatched again: " + e.getMessage())
                            .withCause(e)
                            .asRuntimeException();
                }
                rest = Math.min(2 * rest, LONGEST_REST_MILLIS);
            }
        }
    }

    private boolean isClosedAfter(long millis) {
        try {
            return closed.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
