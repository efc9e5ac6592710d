package io.sluice.durabletask.access;

import io.grpc.ForwardingServerCall;
import io.grpc.ForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call that lives no longer than the right to make it, such as a worker's stream: when its token ends, or is refused
 * for another reason, the call ends as UNAUTHENTICATED, and for its handler as one that the caller has cancelled. The
 * token is judged again when it ends and once a minute. A call that is answered at once is not bound. Thread-safe.
 */
final class BoundCall<Q, R> extends ForwardingServerCall.SimpleForwardingServerCall<Q, R> {
    private static final Duration LONGEST_INTERVAL = Duration.ofMinutes(1);
    private static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(1);
    private static final Status OVER = Status.UNAUTHENTICATED.withDescription(
            "authorization: the token of this call has ended or is no longer valid here; call again with a new one");

    private final ScheduledExecutorService timer;
    private final Supplier<Optional<Grant>> grants;
    private volatile boolean isOver;
    /** Guarded by this. */
    private boolean isClosed;

    private @Nullable Future<?> nextCheck;

    /**
     * A call that may begin.
     *
     * @param grants what the call's token allows; nothing once it does not allow the call
     */
    BoundCall(ServerCall<Q, R> call, ScheduledExecutorService timer, Supplier<Optional<Grant>> grants) {
        super(call);
        this.timer = timer;
        this.grants = grants;
    }

    @Override
    public synchronized void sendHeaders(Metadata headers) {
        if (!isOver) {
            super.sendHeaders(headers);
        }
    }

    @Override
    public synchronized void sendMessage(R message) {
        if (!isOver) {
            super.sendMessage(message);
        }
    }

    @Override
    public synchronized void close(Status status, Metadata trailers) {
        isClosed = true;
        if (!isOver) {
            super.close(status, trailers);
        }
    }

    @Override
    public boolean isCancelled() {
        return isOver || super.isCancelled();
    }

    /** The listener of this call. */
    Listener<Q> bind(Listener<Q> listener, Grant grant) {
        return new ForwardingServerCallListener.SimpleForwardingServerCallListener<>(listener) {
            @Override
            public void onHalfClose() {
                super.onHalfClose();
                checkAfter(grant, delegate());
            }

            @Override
            public void onCancel() {
                if (hasEndedByItself()) {
                    super.onCancel();
                }
            }

            @Override
            public void onComplete() {
                if (hasEndedByItself()) {
                    super.onComplete();
                }
            }
        };
    }

    private synchronized void checkAfter(Grant grant, Listener<Q> listener) {
        if (!isClosed) {
            nextCheck =
                    timer.schedule(() -> check(listener), interval(grant.end()).toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private static Duration interval(@Nullable Instant end) {
        Duration left = end == null ? LONGEST_INTERVAL : Duration.between(Instant.now(), end);
        Duration atMost = left.compareTo(LONGEST_INTERVAL) < 0 ? left : LONGEST_INTERVAL;
        return atMost.compareTo(SHORTEST_INTERVAL) < 0 ? SHORTEST_INTERVAL : atMost;
    }

    private void check(Listener<Q> listener) {
        Optional<Grant> grant = grants.get();
        if (grant.isPresent()) {
            checkAfter(grant.get(), listener);
        } else if (end()) {
            listener.onCancel();
        }
    }

    private synchronized boolean end() {
        if (isClosed) {
            return false;
        }
        super.close(OVER, new Metadata());
        isClosed = true;
        isOver = true;
        return true;
    }

    private synchronized boolean hasEndedByItself() {
        isClosed = true;
        if (nextCheck != null) {
            nextCheck.cancel(false);
        }
        return !isOver;
    }
}
