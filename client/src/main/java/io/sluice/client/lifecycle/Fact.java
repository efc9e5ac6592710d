package io.sluice.client.lifecycle;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What happened to an instance, one type per business fact. Durations are in milliseconds by the runtime's clocks, null
 * when the beginning was not seen. Payloads are at most {@link Text#LIMIT} characters.
 *
 * <p>Types may be added; what a reader does not know yet is {@link Unknown} to it, and stays whole.
 */
@JsonSubTypes({
    @JsonSubTypes.Type(value = Fact.Created.class, name = "created"),
    @JsonSubTypes.Type(value = Fact.Started.class, name = "started"),
    @JsonSubTypes.Type(value = Fact.Completed.class, name = "completed"),
    @JsonSubTypes.Type(value = Fact.Failed.class, name = "failed"),
    @JsonSubTypes.Type(value = Fact.Cancelled.class, name = "cancelled"),
    @JsonSubTypes.Type(value = Fact.ContinuedAsNew.class, name = "continued-as-new"),
    @JsonSubTypes.Type(value = Fact.CancelRequested.class, name = "cancel-requested"),
    @JsonSubTypes.Type(value = Fact.CustomStatusChanged.class, name = "custom-status-changed"),
    @JsonSubTypes.Type(value = Fact.SubOrchestrationStarted.class, name = "sub-orchestration-started"),
    @JsonSubTypes.Type(value = Fact.SubOrchestrationCompleted.class, name = "sub-orchestration-completed"),
    @JsonSubTypes.Type(value = Fact.SubOrchestrationFailed.class, name = "sub-orchestration-failed"),
    @JsonSubTypes.Type(value = Fact.ActivityScheduled.class, name = "activity-scheduled"),
    @JsonSubTypes.Type(value = Fact.ActivityCompleted.class, name = "activity-completed"),
    @JsonSubTypes.Type(value = Fact.ActivityFailed.class, name = "activity-failed"),
    @JsonSubTypes.Type(value = Fact.TimerCreated.class, name = "timer-created"),
    @JsonSubTypes.Type(value = Fact.TimerFired.class, name = "timer-fired"),
    @JsonSubTypes.Type(value = Fact.ExternalEventReceived.class, name = "external-event-received"),
    @JsonSubTypes.Type(value = Fact.Suspended.class, name = "suspended"),
    @JsonSubTypes.Type(value = Fact.Resumed.class, name = "resumed"),
    @JsonSubTypes.Type(value = Fact.Deleted.class, name = "deleted"),
})
public sealed interface Fact {
    /** What stands in {@code type}, and behind {@code io.sluice.lifecycle.} in {@code ce_type}. */
    default String type() {
        return FactTypes.nameOf(this);
    }

    /** The instance came into being; {@link Started} of its first execution follows at once. */
    record Created() implements Fact {}

    /** An execution began. */
    record Started() implements Fact {}

    /** The instance returned. */
    record Completed(String output, @Nullable Long durationMillis) implements Fact {}

    /** The instance failed. */
    record Failed(Failure failure, @Nullable Long durationMillis) implements Fact {}

    /** The instance ended because it was asked to. */
    record Cancelled(String reason, @Nullable Long durationMillis) implements Fact {}

    /** The execution ended, and the next one begins. */
    record ContinuedAsNew(@Nullable Long durationMillis) implements Fact {}

    /** Somebody asked the instance to stop; it may go on for a while, or permanently. */
    record CancelRequested(String reason) implements Fact {}

    /**
     * The instance says how far it is.
     *
     * @param status null when it was cleared
     */
    record CustomStatusChanged(@Nullable String status) implements Fact {}

    /**
     * A child was started.
     *
     * @param child its instance id
     * @param detached whether its parent does not wait for it
     */
    record SubOrchestrationStarted(String child, String orchestration, boolean detached) implements Fact {}

    /**
     * A child returned.
     *
     * @param child null when its start was not seen
     */
    record SubOrchestrationCompleted(
            @Nullable String child, @Nullable Long durationMillis) implements Fact {}

    /**
     * A child failed.
     *
     * @param child null when its start was not seen
     */
    record SubOrchestrationFailed(
            @Nullable String child,
            Failure failure,
            @Nullable Long durationMillis) implements Fact {}

    /**
     * An activity waits for a worker.
     *
     * @param tag chooses the workers; null for any
     */
    record ActivityScheduled(String activity, @Nullable String tag) implements Fact {}

    /**
     * An activity returned.
     *
     * @param activity null when its scheduling was not seen
     * @param scheduledBy the event of the execution that scheduled it
     */
    record ActivityCompleted(
            @Nullable String activity,
            @Nullable Long scheduledBy,
            @Nullable Long durationMillis) implements Fact {}

    /**
     * An activity failed; the orchestration may try again.
     *
     * @param activity null when its scheduling was not seen
     * @param scheduledBy the event of the execution that scheduled it
     */
    record ActivityFailed(
            @Nullable String activity,
            @Nullable Long scheduledBy,
            Failure failure,
            @Nullable Long durationMillis) implements Fact {}

    /**
     * A timer was set.
     *
     * @param fireAt null for never
     */
    record TimerCreated(@Nullable Instant fireAt) implements Fact {}

    /**
     * A timer was due.
     *
     * @param fireAt null for never
     */
    record TimerFired(@Nullable Instant fireAt) implements Fact {}

    /**
     * An event from outside, or a message of a queue, reached the orchestration.
     *
     * @param name the event, or the queue
     */
    record ExternalEventReceived(String name, boolean fromQueue) implements Fact {}

    /**
     * The instance was suspended: events and results still reach it, and wait until it is {@link Resumed}. Its status
     * stays RUNNING. Only instances of a DurableTask host can be suspended.
     *
     * @param reason empty when none was given
     */
    record Suspended(String reason) implements Fact {}

    /**
     * The instance goes on, if it was suspended.
     *
     * @param reason empty when none was given
     */
    record Resumed(String reason) implements Fact {}

    /** The instance and its history were removed. */
    record Deleted() implements Fact {}

    /**
     * A fact of a type that this version does not know.
     *
     * @param type as it was written
     * @param json the fact as it was written: JSON
     */
    record Unknown(String type, String json) implements Fact {
        public Unknown {
            Objects.requireNonNull(type, "type");
            Objects.requireNonNull(json, "json");
        }
    }
}
