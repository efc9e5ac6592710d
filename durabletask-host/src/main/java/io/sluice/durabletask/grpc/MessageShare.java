package io.sluice.durabletask.grpc;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What the message of one call has of the bytes that all messages have together. One request for all that it may need,
 * so that no call holds a part and waits for more. Thread-safe.
 */
final class MessageShare {
    /** A message as small as that needs no share. */
    static final int SMALL_BYTES = 64 * 1024;

    private static final long PATIENCE_SECONDS = 1;

    private final @Nullable String method;
    private final int limit;
    private final Semaphore free;
    private final int total;
    private final AtomicInteger taken = new AtomicInteger();

    /**
     * Nothing yet.
     *
     * @param limit of one message of this method
     * @param free bytes that no message has
     * @param total bytes of all messages
     */
    MessageShare(@Nullable String method, int limit, Semaphore free, int total) {
        this.method = method;
        this.limit = limit;
        this.free = free;
        this.total = total;
    }

    /** For a message of which the length is known. */
    void takeAll(int length) {
        check(length);
        if (length > SMALL_BYTES) {
            take(length);
        }
    }

    /** For a message of which so much has come out, and nobody knows how much is left. */
    void growTo(long bytes) {
        check(bytes);
        if (bytes > SMALL_BYTES && isEmpty()) {
            take(limit);
        }
    }

    /** Gives back what is above. */
    void shrinkTo(long bytes) {
        int left = taken.getAndUpdate(all -> (int) Math.min(all, bytes));
        free.release((int) Math.max(0, left - bytes));
    }

    boolean isEmpty() {
        return taken.get() == 0;
    }

    /** Gives back all. */
    void giveBack() {
        free.release(taken.getAndSet(0));
    }

    private void check(long bytes) {
        if (bytes > limit) {
            throw refusal("a message of " + method + " may have " + limit + " bytes, decompressed; this one has more");
        }
    }

    private void take(int bytes) {
        try {
            if (!free.tryAcquire(bytes, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw refusal("the messages that this host is taking may have " + total
                        + " bytes together, and there is no room for " + bytes + " more; call again later");
            }
            taken.addAndGet(bytes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Status.UNAVAILABLE
                    .withDescription("the host closes")
                    .withCause(e)
                    .asRuntimeException();
        }
    }

    private static StatusRuntimeException refusal(String sentence) {
        return Status.RESOURCE_EXHAUSTED.withDescription(sentence).asRuntimeException();
    }
}
