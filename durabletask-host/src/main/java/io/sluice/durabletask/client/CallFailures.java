package io.sluice.durabletask.client;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.sluice.durabletask.history.HistoryFormatException;
import io.sluice.durabletask.history.NestedTooDeepException;
import io.sluice.provider.ProviderException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What callers are told of failures. */
public final class CallFailures {
    private static final Logger LOG = LoggerFactory.getLogger(CallFailures.class);

    private CallFailures() {}

    /** The status of a failed call. What nobody has foreseen is logged here, and not told. */
    public static Status statusOf(String call, RuntimeException failure) {
        if (failure instanceof StatusRuntimeException told) {
            return told.getStatus();
        }
        if (failure instanceof ProviderException e) {
            return (e.retryable() ? Status.UNAVAILABLE : Status.FAILED_PRECONDITION)
                    .withDescription(e.getMessage())
                    .withCause(e);
        }
        if (failure instanceof HistoryFormatException) {
            return Status.DATA_LOSS.withDescription(failure.getMessage()).withCause(failure);
        }
        if (failure instanceof NestedTooDeepException) {
            return Status.INVALID_ARGUMENT.withDescription(failure.getMessage()).withCause(failure);
        }
        LOG.atError()
                .addKeyValue("call", call)
                .setCause(failure)
                .log("a call failed in a way that nobody has foreseen");
        return Status.INTERNAL
                .withDescription("the call failed, see the host's log")
                .withCause(failure);
    }
}
