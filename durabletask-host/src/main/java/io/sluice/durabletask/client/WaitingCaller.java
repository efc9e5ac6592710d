package io.sluice.durabletask.client;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.provider.InstanceSummary;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A call that is answered once an instance has come into a state. Thread-safe. */
final class WaitingCaller<T> implements Waiter {
    private static final Logger LOG = LoggerFactory.getLogger(WaitingCaller.class);

    private final ServerCallStreamObserver<T> caller;
    private final Predicate<OrchestrationStatus> until;
    private final Function<Optional<InstanceSummary>, T> response;
    private final AtomicBoolean isAnswered = new AtomicBoolean();

    WaitingCaller(
            ServerCallStreamObserver<T> caller,
            Predicate<OrchestrationStatus> until,
            Function<Optional<InstanceSummary>, T> response) {
        this.caller = caller;
        this.until = until;
        this.response = response;
    }

    @Override
    public boolean waitsFor(OrchestrationStatus status) {
        return until.test(status);
    }

    @Override
    public void answer(Optional<InstanceSummary> instance) {
        T answer = response.apply(instance);
        if (isAnswered.compareAndSet(false, true)) {
            send(() -> {
                caller.onNext(answer);
                caller.onCompleted();
            });
        }
    }

    @Override
    public void fail(Status status) {
        if (isAnswered.compareAndSet(false, true)) {
            send(() -> caller.onError(status.asRuntimeException()));
        }
    }

    private static void send(Runnable answer) {
        try {
            answer.run();
        } catch (StatusRuntimeException | IllegalStateException e) {
            LOG.atDebug().setCause(e).log("a client has gone while it was answered");
        }
    }
}
