package io.sluice.durabletask.client;

import com.google.protobuf.Timestamp;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.sluice.durabletask.turn.TurnLimits;
import io.sluice.durabletask.wire.Wire;
import java.time.DateTimeException;
import java.time.Instant;

/** Checks what clients send. */
final class Requests {
    private Requests() {}

    /** The instance id, or INVALID_ARGUMENT. */
    static String instanceId(String id) {
        TurnLimits.instanceIdFault(id).ifPresent(fault -> {
            throw invalid("instanceId: " + fault);
        });
        return id;
    }

    /** Refuses a name, or version, that is too long. */
    static void name(String field, String name) {
        TurnLimits.nameFault(name).ifPresent(fault -> {
            throw invalid(field + ": " + fault);
        });
    }

    static StatusRuntimeException tooLarge(String fault) {
        return Status.RESOURCE_EXHAUSTED.withDescription(fault).asRuntimeException();
    }

    /** The text, which must not be empty, or INVALID_ARGUMENT. */
    static String notEmpty(String field, String text) {
        if (text.isEmpty()) {
            throw invalid(field + " must not be empty");
        }
        return text;
    }

    /** The time, or INVALID_ARGUMENT. */
    static Instant time(String field, Timestamp time) {
        try {
            return Wire.instant(time);
        } catch (DateTimeException e) {
            throw Status.INVALID_ARGUMENT
                    .withDescription(field + ": no time, was " + time.getSeconds() + " seconds")
                    .withCause(e)
                    .asRuntimeException();
        }
    }

    static StatusRuntimeException invalid(String message) {
        return Status.INVALID_ARGUMENT.withDescription(message).asRuntimeException();
    }

    static StatusRuntimeException notFound(String instance) {
        return Status.NOT_FOUND
                .withDescription("there is no orchestration instance '" + instance + "'")
                .asRuntimeException();
    }
}
