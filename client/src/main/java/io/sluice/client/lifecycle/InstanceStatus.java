package io.sluice.client.lifecycle;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The latest known state of an instance, the value of the compacted topic {@code <prefix>.status}. A tombstone follows
 * when the instance is deleted, or when the time to keep ended instances is over.
 *
 * @param id the instance's id again, for stores that want a document's key under this name
 * @param createdAt null when the instance's beginning was not seen
 * @param updatedAt time of its latest event
 * @param output of a completed instance, else null
 * @param failure of a failed instance, else null
 * @param activities of all executions
 * @param incomplete true when events of it were not read, as they had expired or can't be read: counts, names and
 *     output may be wrong or missing; null when all were read
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
        Counts subOrchestrations,
        @Nullable Boolean incomplete) {
    /** Where an instance is in its life. */
    public enum State {
        RUNNING,
        COMPLETED,
        FAILED,
        CANCELLED,
        /**
         * It ran by the last event that was read, but later events expired before they were read, so it may have ended.
         * Also a state of a newer relay that this version does not know.
         */
        @JsonEnumDefaultValue
        UNKNOWN;

        /** Whether nothing more will come of it, unless it is started again. */
        public boolean isFinal() {
            return this != RUNNING && this != UNKNOWN;
        }
    }

    /** The same in another state. */
    public InstanceStatus withState(State changed) {
        return new InstanceStatus(
                id,
                instance,
                orchestration,
                version,
                changed,
                execution,
                parent,
                correlation,
                customStatus,
                output,
                failure,
                createdAt,
                updatedAt,
                activities,
                subOrchestrations,
                incomplete);
    }

    /** How much was started, and how it ended. */
    public record Counts(long started, long completed, long failed) {
        public static final Counts NONE = new Counts(0, 0, 0);
    }

    /** Of an instance whose events were all read. */
    public InstanceStatus(
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
        this(
                id,
                instance,
                orchestration,
                version,
                state,
                execution,
                parent,
                correlation,
                customStatus,
                output,
                failure,
                createdAt,
                updatedAt,
                activities,
                subOrchestrations,
                null);
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
