package io.sluice.durabletask.dispatch;

import io.grpc.Status;
import io.sluice.durabletask.turn.Pauses;
import io.sluice.provider.ProviderException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Tries to write an answer for as long as the lock of what it answers lives. */
final class Commit {
    private static final Pauses PAUSES = new Pauses(Duration.ofMillis(50), Duration.ofSeconds(1));

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
        RetryPauses pauses = new RetryPauses(PAUSES, closed);
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
                if (lock.left().compareTo(pauses.next()) <= 0 || isClosedAfter(pauses)) {
                    throw Status.UNAVAILABLE
                            .withDescription(
                                    "the store can't be reached, the work will be dispatched again: " + e.getMessage())
                            .withCause(e)
                            .asRuntimeException();
                }
            }
        }
    }

    private static boolean isClosedAfter(RetryPauses pauses) {
        try {
            return pauses.awaitNextOrClose();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
