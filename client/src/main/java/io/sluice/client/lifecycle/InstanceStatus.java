package io.sluice.client.lifecycle;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The last state of an instance, the value of the compacted topic {@code <prefix>.status}; a tombstone follows when the
 * instance is deleted, or long after its end.
 *
 * @param id the instance's id again, for stores that want a document's key under this name
 * @param createdAt null when the instance's beginning was not seen
 * @param updatedAt time of its latest event
 * @param output of a completed instance, else null
 * @param failure of a failed instance, else null
 * @param activities of all executions
 */
public record InstanceStatus(
        String id,
        String instance,
        @Nullable String orchestration,
        @Nullable String version,
        State state,
        long execution,
        @Nullable Parent parent,
        String correlation,
        @Nullable String customStatus,
        @Nullable String output,
        @Nullable Failure failure,
        @Nullable Instant createdAt,
        Instant updatedAt,
        Counts activities,
        Counts subOrchestrations) {
    /** Where an instance is in its life. */
    public enum State {
        RUNNING,
        COMPLETED,
        FAILED,
        CANCELLED;

        /** Whether nothing more will come of it, unless it is started anew. */
        public boolean isFinal() {
            return this != RUNNING;
        }
    }

    /** How much was started, and how it ended. */
    public record Counts(long started, long completed, long failed) {
        public static final Counts NONE = new Counts(0, 0, 0);
    }

    public InstanceStatus {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(instance, "instance");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(correlation, "correlation");
        Objects.requireNonNull(updatedAt, "updatedAt");
        Objects.requireNonNull(activities, "activities");
        Objects.requireNonNull(subOrchestrations, "subOrchestrations");
    }
}
