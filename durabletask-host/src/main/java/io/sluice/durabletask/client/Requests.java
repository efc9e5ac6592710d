package io.sluice.durabletask.client;

import com.google.protobuf.Timestamp;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.sluice.durabletask.turn.TurnLimits;
import io.sluice.durabletask.wire.Protocol.InstanceBatch;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.work.WorkItem;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks what clients send. */
final class Requests {
    /** Most ids of one batch. */
    private static final int MAX_IDS = 500;

    private static final long FIRST_SECOND =
            Instant.parse("0001-01-01T00:00:00Z").getEpochSecond();
    private static final long LAST_SECOND =
            Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();

    private Requests() {}

    /** The instance id, or INVALID_ARGUMENT. */
    static String instanceId(String id) {
        TurnLimits.instanceIdFault(id).ifPresent(fault -> {
            throw invalid("instanceId: " + fault);
        });
        return id;
    }

    /** The instance ids of a batch, without repetitions; INVALID_ARGUMENT when one is none, or they are too many. */
    static Set<String> instanceIds(InstanceBatch batch) {
        List<String> ids = batch.getInstanceIdsList();
        if (ids.size() > MAX_IDS) {
            throw invalid("instanceBatch.instanceIds: at most " + MAX_IDS + " ids in one request, were " + ids.size());
        }
        ids.forEach(Requests::instanceId);
        return new LinkedHashSet<>(ids);
    }

    /** Refuses a name, or version, that is too long. */
    static void name(String field, String name) {
        TurnLimits.nameFault(name).ifPresent(fault -> {
            throw invalid(field + ": " + fault);
        });
    }

    /** The message, or RESOURCE_EXHAUSTED when no turn could take it. */
    static <M extends WorkItem> M fitting(M message) {
        TurnLimits.messageFault(message).ifPresent(fault -> {
            throw Status.RESOURCE_EXHAUSTED.withDescription(fault).asRuntimeException();
        });
        return message;
    }

    /** The text, which must not be empty, or INVALID_ARGUMENT. */
    static String notEmpty(String field, String text) {
        if (text.isEmpty()) {
            throw invalid(field + " must not be empty");
        }
        return text;
    }

    /** The time, which must be one of the years 1 to 9999 as in all of the protocol, or INVALID_ARGUMENT. */
    static Instant time(String field, Timestamp time) {
        if (time.getSeconds() < FIRST_SECOND || time.getSeconds() > LAST_SECOND) {
            throw invalid(field + ": no time of the years 1 to 9999, was " + time.getSeconds() + " seconds since 1970");
        }
        return Wire.instant(time);
    }

    /** The time, null where it is absent, or INVALID_ARGUMENT. */
    static @Nullable Instant timeOrNull(String field, boolean isPresent, Timestamp time) {
        return isPresent ? time(field, time) : null;
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
