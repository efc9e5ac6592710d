package io.sluice.provider;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An instance, without its history.
 *
 * @param status of the current execution: {@code Running}, {@code Completed}, {@code Failed} or {@code ContinuedAsNew}
 * @param output result, error text or next input of the current execution; null while it runs
 * @param createdAtMillis milliseconds since the epoch
 * @param updatedAtMillis milliseconds since the epoch; moves with every write to the instance, locks included
 * @param parentInstanceId null for a root
 */
public record InstanceInfo(
        String instanceId,
        String orchestrationName,
        String orchestrationVersion,
        long currentExecutionId,
        String status,
        @Nullable String output,
        long createdAtMillis,
        long updatedAtMillis,
        @Nullable String parentInstanceId) {
    public InstanceInfo {
        Objects.requireNonNull(instanceId, "instanceId");
        Objects.requireNonNull(orchestrationName, "orchestrationName");
        Objects.requireNonNull(orchestrationVersion, "orchestrationVersion");
        Objects.requireNonNull(status, "status");
    }
}
