package io.sluice.durabletask.client;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.sluice.durabletask.wire.Protocol.GetInstanceResponse;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client that waits.
 *
 * @param until what it waits for
 * @param withPayloads whether it wants input and output
 */
record Waiter(
        Predicate<OrchestrationStatus> until,
        boolean withPayloads,
        ServerCallStreamObserver<GetInstanceResponse> caller) {
    private static final Logger LOG = LoggerFactory.getLogger(Waiter.class);

    void answer(GetInstanceResponse response) {
        try {
            caller.onNext(response);
            caller.onCompleted();
        } catch (StatusRuntimeException | IllegalStateException e) {
            LOG.atDebug().setCause(e).log("a client has gone while it was answered");
        }
    }

    void fail(Status status) {
        try {
            caller.onError(status.asRuntimeException());
        } catch (StatusRuntimeException | IllegalStateException e) {
            LOG.atDebug().setCause(e).log("a client has gone while it was answered");
        }
    }
}
