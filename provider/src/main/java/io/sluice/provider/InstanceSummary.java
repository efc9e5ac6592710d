package io.sluice.provider;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An instance as {@link InstanceQueries} shows it: everything but its history. Read at one moment.
 *
 * @param status of the current execution: {@code Running}, {@code Completed}, {@code Failed} or {@code ContinuedAsNew};
 *     {@code Running} also before the first turn
 * @param executionId of the current execution
 * @param createdAt to the millisecond; a little before the instance was written, see {@link InstanceQueries#query}
 * @param updatedAt to the millisecond; moves with every write to the instance, locks included
 * @param parentInstanceId null for a root, and before the first ack
 * @param ext null when nothing was given along
 * @param texts null when a query did not ask for them
 */
public record InstanceSummary(
        String instanceId,
        String orchestrationName,
        String orchestrationVersion,
        long executionId,
        String status,
        Instant createdAt,
        Instant updatedAt,
        @Nullable String parentInstanceId,
        @Nullable InstanceExt ext,
        @Nullable Texts texts) {
    public InstanceSummary {
        Objects.requireNonNull(instanceId, "instanceId");
        Objects.requireNonNull(orchestrationName, "orchestrationName");
        Objects.requireNonNull(orchestrationVersion, "orchestrationVersion");
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(createdAt, "createdAt");
        Objects.requireNonNull(updatedAt, "updatedAt");
    }

    /**
     * What may be large.
     *
     * @param output result, error text or next input of the current execution; null while it runs
     */
    public record Texts(@Nullable String output, CustomStatus customStatus) {
        public Texts {
            Objects.requireNonNull(customStatus, "customStatus");
        }
    }
}
