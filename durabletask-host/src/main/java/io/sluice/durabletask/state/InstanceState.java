package io.sluice.durabletask.state;

import io.sluice.durabletask.wire.Protocol.ExecutionStartedEvent;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.TaskFailureDetails;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.InstanceExt;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What DurableTask's clients see of an instance and the provider's status does not say. It is kept along with the
 * instance, as an {@link InstanceExt}:
 *
 * <pre>{"status": "FAILED", "completedAt": 1781514000001, "execution": "…", "parent": "…", "inputCharacters": 17,
 *  "scheduledStart": "2026-06-15T08:00:00.000000001Z", "outputEvent": 7,
 *  "failure": {"type": "…", "message": "…", "nonRetriable": true,
 *  "stack": "…", "properties": "…", "inner": {…}}, "tags": {"tenant": "a"}}</pre>
 *
 * <p>{@link #STATUS} and {@link #COMPLETED_AT} are for conditions of queries. What is absent is null, empty or false.
 *
 * @param status RUNNING, PENDING, SUSPENDED, COMPLETED, FAILED, TERMINATED or CANCELED
 * @param executionGuid names the execution; another one after each continue-as-new; empty when it has none
 * @param parentInstance who awaits the result; null for a root
 * @param inputCharacters length of the input; -1 when there is none
 * @param scheduledStart when a client wanted it to begin; null for at once
 * @param completedAt to the millisecond; null while it has not ended
 * @param failure null unless it has failed
 * @param outputEvent id of the event that holds the output, where that had no room with the instance; 0 otherwise
 */
public record InstanceState(
        OrchestrationStatus status,
        String executionGuid,
        Map<String, String> tags,
        @Nullable String parentInstance,
        int inputCharacters,
        @Nullable Instant scheduledStart,
        @Nullable Instant completedAt,
        @Nullable TaskFailureDetails failure,
        long outputEvent) {
    /** Field of the status, by its name in the protocol without the prefix. */
    public static final String STATUS = "status";
    /** Field of the time of completion, in milliseconds since the epoch. */
    public static final String COMPLETED_AT = "completedAt";

    private static final String PREFIX = "ORCHESTRATION_STATUS_";

    public InstanceState {
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(executionGuid, "executionGuid");
        tags = Map.copyOf(tags);
        completedAt = completedAt == null ? null : completedAt.truncatedTo(ChronoUnit.MILLIS);
    }

    /** Of an instance that a client starts, until its first turn. */
    public static InstanceState pending(ExecutionStartedEvent started) {
        return begun(started, null, OrchestrationStatus.ORCHESTRATION_STATUS_PENDING);
    }

    /** Of an execution that has begun so and not ended. */
    public static InstanceState begun(
            ExecutionStartedEvent started, @Nullable String parentInstance, OrchestrationStatus status) {
        return new InstanceState(
                status,
                started.getOrchestrationInstance().getExecutionId().getValue(),
                started.getTagsMap(),
                parentInstance,
                started.hasInput() ? started.getInput().getValue().length() : -1,
                scheduledStart(started),
                null,
                null,
                0);
    }

    private static @Nullable Instant scheduledStart(ExecutionStartedEvent started) {
        try {
            return started.hasScheduledStartTimestamp() ? Wire.instant(started.getScheduledStartTimestamp()) : null;
        } catch (DateTimeException e) {
            // No time that anything could begin at; a turn must not fail for what is only shown.
            return null;
        }
    }

    /** The same, ended; its output, if it has one, is with the instance. */
    public InstanceState ended(OrchestrationStatus newStatus, Instant time, @Nullable TaskFailureDetails newFailure) {
        return new InstanceState(
                newStatus, executionGuid, tags, parentInstance, inputCharacters, scheduledStart, time, newFailure, 0);
    }

    /** The same, under another status that is no end. */
    public InstanceState withStatus(OrchestrationStatus newStatus) {
        return new InstanceState(
                newStatus,
                executionGuid,
                tags,
                parentInstance,
                inputCharacters,
                scheduledStart,
                completedAt,
                failure,
                outputEvent);
    }

    /** The same, its output in an event alone. */
    public InstanceState withOutputIn(long event) {
        return new InstanceState(
                status,
                executionGuid,
                tags,
                parentInstance,
                inputCharacters,
                scheduledStart,
                completedAt,
                failure,
                event);
    }

    /**
     * As it is kept along with the instance. Never fails: what has no room in {@value InstanceExt#MAX_BYTES} bytes is
     * left out, the least important first. Of a failure go the end of the stack traces, the stack traces, inner
     * failures and properties, the end of the message; then the longest tags go, until the rest fits. An execution GUID
     * of more than 2 000 bytes, which a client may have chosen, is never kept.
     */
    public InstanceExt toExt() {
        return InstanceStateJson.write(this);
    }

    /** What {@link #toExt} has kept; empty when it was not a host that wrote it. */
    public static Optional<InstanceState> of(@Nullable InstanceExt ext) {
        return ext == null ? Optional.empty() : InstanceStateJson.read(ext);
    }

    /** How a status is written, for conditions of queries on {@link #STATUS}. */
    public static String text(OrchestrationStatus status) {
        return status.name().replace(PREFIX, "");
    }

    /** The status that is written so; empty when none is. */
    static Optional<OrchestrationStatus> status(String text) {
        for (OrchestrationStatus status : OrchestrationStatus.values()) {
            if (status.name().equals(PREFIX + text)) {
                return Optional.of(status);
            }
        }
        return Optional.empty();
    }
}
