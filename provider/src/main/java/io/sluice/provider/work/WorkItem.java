package io.sluice.provider.work;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.sluice.provider.history.CarriedEvent;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.ExtraFields;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What lies in a queue: a message to an instance, or an activity for a worker. Each record bears the name of its
 * variant.
 *
 * <p>Ids are unsigned 64-bit on the wire and keep their bits here: only values from 2<sup>63</sup> on, which no runtime
 * assigns, read as negative.
 */
public sealed interface WorkItem {
    /** 2^53 - 1, the largest whole number that Cosmos keeps exactly; as a time, the year 287396. */
    long LATEST_MILLIS = 9_007_199_254_740_991L;

    /** The instance in whose partition and queue the item belongs. */
    String routedInstance();

    /** Fields of a newer runtime, carried along. */
    ExtraFields extras();

    /** The variant's name as it is written, such as {@code StartOrchestration}. */
    default String variant() {
        return getClass().getSimpleName();
    }

    /**
     * Starts an instance.
     *
     * @param orchestration name of the code to run
     * @param version null lets the runtime choose
     * @param parentInstance who awaits the result; null for a root
     * @param parentId the parent's scheduling event
     * @param parentExecutionId the parent's execution; null when an older runtime wrote it
     */
    record StartOrchestration(
            String instance,
            String orchestration,
            String input,
            @JsonInclude @Nullable String version,
            @JsonInclude @Nullable String parentInstance,
            @JsonInclude @Nullable Long parentId,
            @Nullable Long parentExecutionId,
            long executionId,
            ExtraFields extras)
            implements WorkItem {
        public StartOrchestration {
            Objects.requireNonNull(instance, "instance");
            Objects.requireNonNull(orchestration, "orchestration");
            Objects.requireNonNull(input, "input");
            Objects.requireNonNull(extras, "extras");
        }

        /** Without unknown fields. */
        public StartOrchestration(
                String instance,
                String orchestration,
                String input,
                @Nullable String version,
                @Nullable String parentInstance,
                @Nullable Long parentId,
                @Nullable Long parentExecutionId,
                long executionId) {
            this(
                    instance,
                    orchestration,
                    input,
                    version,
                    parentInstance,
                    parentId,
                    parentExecutionId,
                    executionId,
                    ExtraFields.NONE);
        }

        @Override
        public String routedInstance() {
            return instance;
        }
    }

    /**
     * Asks a worker to run an activity. The only item of the worker queue.
     *
     * @param id the scheduling event
     * @param sessionId keeps the activities of a session on one worker
     * @param tag chooses the workers; null for any that serve the default
     */
    record ActivityExecute(
            String instance,
            long executionId,
            long id,
            String name,
            String input,
            @Nullable String sessionId,
            @Nullable String tag,
            ExtraFields extras)
            implements WorkItem {
        public ActivityExecute {
            Objects.requireNonNull(instance, "instance");
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(input, "input");
            Objects.requireNonNull(extras, "extras");
        }

        /** Without unknown fields. */
        public ActivityExecute(
                String instance,
                long executionId,
                long id,
                String name,
                String input,
                @Nullable String sessionId,
                @Nullable String tag) {
            this(instance, executionId, id, name, input, sessionId, tag, ExtraFields.NONE);
        }

        @Override
        public String routedInstance() {
            return instance;
        }
    }

    /**
     * An activity returned.
     *
     * @param id the scheduling event
     */
    record ActivityCompleted(String instance, long executionId, long id, String result, ExtraFields extras)
            implements WorkItem {
        public ActivityCompleted {
            Objects.requireNonNull(instance, "instance");
            Objects.requireNonNull(result, "result");
            Objects.requireNonNull(extras, "extras");
        }

        /** Without unknown fields. */
        public ActivityCompleted(String instance, long executionId, long id, String result) {
            this(instance, executionId, id, result, ExtraFields.NONE);
        }

        @Override
        public String routedInstance() {
            return instance;
        }
    }

    /**
     * An activity failed.
     *
     * @param id the scheduling event
     */
    record ActivityFailed(String instance, long executionId, long id, ErrorDetails details, ExtraFields extras)
            implements WorkItem {
        public ActivityFailed {
            Objects.requireNonNull(instance, "instance");
            Objects.requireNonNull(details, "details");
            Objects.requireNonNull(extras, "extras");
        }

        /** Without unknown fields. */
        public ActivityFailed(String instance, long executionId, long id, ErrorDetails details) {
            this(instance, executionId, id, details, ExtraFields.NONE);
        }

        @Override
        public String routedInstance() {
            return instance;
        }
    }

    /**
     * Wakes an instance at a time.
     *
     * @param id the scheduling event
     * @param fireAtMillis milliseconds since the epoch, unsigned: negative is far in the future, see
     *     {@link #visibleAtMillis}
     */
    record TimerFired(
            String instance,
            long executionId,
            long id,
            @JsonProperty("fire_at_ms") long fireAtMillis,
            ExtraFields extras)
            implements WorkItem {
        public TimerFired {
            Objects.requireNonNull(instance, "instance");
            Objects.requireNonNull(extras, "extras");
        }

        /** Without unknown fields. */
        public TimerFired(String instance, long executionId, long id, long fireAtMillis) {
            this(instance, executionId, id, fireAtMillis, ExtraFields.NONE);
        }

        @Override
        public String routedInstance() {
            return instance;
        }

        /**
         * When the message may be seen: never before {@code nowMillis}, and at most 2^53 - 1, the largest whole number
         * Cosmos keeps exactly.
         */
        public long visibleAtMillis(long nowMillis) {
            long due = Long.compareUnsigned(fireAtMillis, LATEST_MILLIS) > 0 ? LATEST_MILLIS : fireAtMillis;
            return Math.max(due, nowMillis);
        }
    }

    /** Brings an external event to an instance. */
    record ExternalRaised(String instance, String name, String data, ExtraFields extras) implements WorkItem {
        public ExternalRaised {
            Objects.requireNonNull(instance, "instance");
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(data, "data");
            Objects.requireNonNull(extras, "extras");
        }

        /** Without unknown fields. */
        public ExternalRaised(String instance, String name, String data) {
            this(instance, name, data, ExtraFields.NONE);
        }

        @Override
        public String routedInstance() {
            return instance;
        }
    }

    /**
     * Brings a child's result to its parent.
     *
     * @param parentId the parent's scheduling event
     */
    record SubOrchCompleted(
            String parentInstance, long parentExecutionId, long parentId, String result, ExtraFields extras)
            implements WorkItem {
        public SubOrchCompleted {
            Objects.requireNonNull(parentInstance, "parentInstance");
            Objects.requireNonNull(result, "result");
            Objects.requireNonNull(extras, "extras");
        }

        /** Without unknown fields. */
        public SubOrchCompleted(String parentInstance, long parentExecutionId, long parentId, String result) {
            this(parentInstance, parentExecutionId, parentId, result, ExtraFields.NONE);
        }

        @Override
        public String routedInstance() {
            return parentInstance;
        }
    }

    /**
     * Brings a child's failure to its parent.
     *
     * @param parentId the parent's scheduling event
     */
    record SubOrchFailed(
            String parentInstance, long parentExecutionId, long parentId, ErrorDetails details, ExtraFields extras)
            implements WorkItem {
        public SubOrchFailed {
            Objects.requireNonNull(parentInstance, "parentInstance");
            Objects.requireNonNull(details, "details");
            Objects.requireNonNull(extras, "extras");
        }

        /** Without unknown fields. */
        public SubOrchFailed(String parentInstance, long parentExecutionId, long parentId, ErrorDetails details) {
            this(parentInstance, parentExecutionId, parentId, details, ExtraFields.NONE);
        }

        @Override
        public String routedInstance() {
            return parentInstance;
        }
    }

    /** Asks an instance to stop. */
    record CancelInstance(String instance, String reason, ExtraFields extras) implements WorkItem {
        public CancelInstance {
            Objects.requireNonNull(instance, "instance");
            Objects.requireNonNull(reason, "reason");
            Objects.requireNonNull(extras, "extras");
        }

        /** Without unknown fields. */
        public CancelInstance(String instance, String reason) {
            this(instance, reason, ExtraFields.NONE);
        }

        @Override
        public String routedInstance() {
            return instance;
        }
    }

    /**
     * Starts the next execution of an instance.
     *
     * @param orchestration name of the code to run
     * @param version null lets the runtime choose
     * @param parentInstance who awaits the result; null for a root
     * @param parentId the parent's scheduling event
     * @param parentExecutionId the parent's execution
     * @param carryForwardEvents external events that the ended execution did not take
     * @param initialCustomStatus status left by the ended execution
     */
    record ContinueAsNew(
            String instance,
            String orchestration,
            String input,
            @JsonInclude @Nullable String version,
            @Nullable String parentInstance,
            @Nullable Long parentId,
            @Nullable Long parentExecutionId,
            @JsonProperty(defaultValue = "[]") List<CarriedEvent> carryForwardEvents,
            @Nullable String initialCustomStatus,
            ExtraFields extras)
            implements WorkItem {
        public ContinueAsNew {
            Objects.requireNonNull(instance, "instance");
            Objects.requireNonNull(orchestration, "orchestration");
            Objects.requireNonNull(input, "input");
            carryForwardEvents = List.copyOf(carryForwardEvents);
            Objects.requireNonNull(extras, "extras");
        }

        /** Without unknown fields. */
        public ContinueAsNew(
                String instance,
                String orchestration,
                String input,
                @Nullable String version,
                @Nullable String parentInstance,
                @Nullable Long parentId,
                @Nullable Long parentExecutionId,
                List<CarriedEvent> carryForwardEvents,
                @Nullable String initialCustomStatus) {
            this(
                    instance,
                    orchestration,
                    input,
                    version,
                    parentInstance,
                    parentId,
                    parentExecutionId,
                    carryForwardEvents,
                    initialCustomStatus,
                    ExtraFields.NONE);
        }

        @Override
        public String routedInstance() {
            return instance;
        }
    }

    /**
     * Brings a message of a queue to an instance.
     *
     * @param name the queue
     */
    record QueueMessage(String instance, String name, String data, ExtraFields extras) implements WorkItem {
        public QueueMessage {
            Objects.requireNonNull(instance, "instance");
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(data, "data");
            Objects.requireNonNull(extras, "extras");
        }

        /** Without unknown fields. */
        public QueueMessage(String instance, String name, String data) {
            this(instance, name, data, ExtraFields.NONE);
        }

        @Override
        public String routedInstance() {
            return instance;
        }
    }
}
