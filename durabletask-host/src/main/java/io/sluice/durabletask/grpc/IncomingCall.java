package io.sluice.durabletask.grpc;

import io.grpc.ForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A call whose message has a share of the bytes that all have, from its parsing until the call is handled, or ends. A
 * caller that brings a large message must also end its part of the call. Thread-safe.
 */
final class IncomingCall<Q> extends ForwardingServerCallListener.SimpleForwardingServerCallListener<Q> {
    private static final Status OF_ONE_MESSAGE = Status.INVALID_ARGUMENT.withDescription("the call takes one message");

    private final ServerCall<Q, ?> call;
    private final MessageShare share;
    private final ScheduledExecutorService timer;
    private final Duration unfinished;
    /** Guarded by this, as what follows. */
    private boolean isRefused;

    private boolean isHandled;
    private @Nullable Future<?> end;

    /**
     * A call that begins.
     *
     * @param unfinished how long a message of some size may wait for the end of the caller's part
     */
    IncomingCall(
            ServerCall<Q, ?> call,
            ServerCall.Listener<Q> listener,
            MessageShare share,
            ScheduledExecutorService timer,
            Duration unfinished) {
        super(listener);
        this.call = call;
        this.share = share;
        this.timer = timer;
        this.unfinished = unfinished;
    }

    @Override
    public void onMessage(Q message) {
        if (isRefused()) {
            return;
        }
        if (!share.isEmpty()) {
            refuse(OF_ONE_MESSAGE);
            return;
        }
        try {
            IncomingMessage incoming = (IncomingMessage) message;
            incoming.open(share);
            super.onMessage(message);
            incoming.keepShare();
        } catch (StatusRuntimeException e) {
            refuse(e.getStatus());
        } catch (IOException e) {
            refuse(Status.INTERNAL.withDescription("the message can't be read").withCause(e));
        }
        if (!share.isEmpty()) {
            awaitEnd();
        }
    }

    @Override
    public void onHalfClose() {
        if (isRefusedElseHandled()) {
            return;
        }
        try {
            super.onHalfClose();
        } finally {
            share.giveBack();
        }
    }

    @Override
    public void onCancel() {
        finish();
        super.onCancel();
    }

    @Override
    public void onComplete() {
        finish();
        super.onComplete();
    }

    private synchronized void awaitEnd() {
        Status late = Status.DEADLINE_EXCEEDED.withDescription(
                "the caller has not ended its part of the call within " + unfinished + " of its message");
        end = timer.schedule(() -> refuse(late), unfinished.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Whether the call is over; if not, its handler has it from now on. */
    private synchronized boolean isRefusedElseHandled() {
        isHandled = !isRefused;
        stopTimer();
        return isRefused;
    }

    private synchronized boolean isRefused() {
        return isRefused;
    }

    private synchronized void refuse(Status status) {
        if (!isRefused && !isHandled) {
            isRefused = true;
            call.close(status, new Metadata());
            share.giveBack();
        }
    }

    private synchronized void finish() {
        isHandled = true;
        stopTimer();
        share.giveBack();
    }

    private synchronized void stopTimer() {
        if (end != null) {
            end.cancel(false);
        }
    }
}
