package io.sluice.durabletask.turn;

import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.TaskFailureDetails;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What DurableTask's clients see of an instance and the provider's status does not say.
 *
 * @param executionGuid names the execution; another one after each continue-as-new
 * @param parentInstance who awaits the result; null for a root
 * @param inputCharacters length of the input; -1 when there is none
 * @param completedAt null while it has not ended
 * @param failure null unless it has failed
 */
public record InstanceState(
        OrchestrationStatus status,
        String executionGuid,
        Map<String, String> tags,
        @Nullable String parentInstance,
        int inputCharacters,
        @Nullable Instant completedAt,
        @Nullable TaskFailureDetails failure) {
    public InstanceState {
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(executionGuid, "executionGuid");
        tags = Map.copyOf(tags);
    }

    /** The same, ended. */
    InstanceState ended(OrchestrationStatus newStatus, Instant time, @Nullable TaskFailureDetails newFailure) {
        return new InstanceState(newStatus, executionGuid, tags, parentInstance, inputCharacters, time, newFailure);
    }
}
