package io.sluice.provider.history;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What an event says. Each record bears the name that is written as the event's {@code type}. */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "type")
public sealed interface EventKind {
    /** The type text, such as {@code ActivityCompleted}. */
    default String type() {
        return getClass().getSimpleName();
    }

    /**
     * An execution began. First event of each.
     *
     * @param parentInstance who awaits the result; null for a root
     * @param parentId the parent's scheduling event
     * @param parentExecutionId the parent's execution; null when an older runtime wrote it
     * @param carryForwardEvents external events left over from the execution before; null when none were handed over,
     *     which is not the same as empty
     * @param initialCustomStatus status left by the execution before
     */
    record OrchestrationStarted(
            String name,
            String version,
            String input,
            @JsonInclude @Nullable String parentInstance,
            @JsonInclude @Nullable Long parentId,
            @Nullable Long parentExecutionId,
            @Nullable List<CarriedEvent> carryForwardEvents,
            @Nullable String initialCustomStatus)
            implements EventKind {
        public OrchestrationStarted {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(version, "version");
            Objects.requireNonNull(input, "input");
            carryForwardEvents = carryForwardEvents == null ? null : List.copyOf(carryForwardEvents);
        }
    }

    /** The orchestration returned. */
    record OrchestrationCompleted(String output) implements EventKind {
        public OrchestrationCompleted {
            Objects.requireNonNull(output, "output");
        }
    }

    /** The orchestration failed. */
    record OrchestrationFailed(ErrorDetails details) implements EventKind {
        public OrchestrationFailed {
            Objects.requireNonNull(details, "details");
        }
    }

    /**
     * An activity was handed to the workers.
     *
     * @param sessionId keeps the activities of a session on one worker
     * @param tag chooses the workers; null for any that serve the default
     */
    record ActivityScheduled(
            String name,
            String input,
            @Nullable String sessionId,
            @Nullable String tag) implements EventKind {
        public ActivityScheduled {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(input, "input");
        }
    }

    /** An activity returned. */
    record ActivityCompleted(String result) implements EventKind {
        public ActivityCompleted {
            Objects.requireNonNull(result, "result");
        }
    }

    /** An activity failed. */
    record ActivityFailed(ErrorDetails details) implements EventKind {
        public ActivityFailed {
            Objects.requireNonNull(details, "details");
        }
    }

    /** The orchestration no longer waits for an activity. */
    record ActivityCancelRequested(String reason) implements EventKind {
        public ActivityCancelRequested {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * A timer was set.
     *
     * @param fireAtMillis milliseconds since the epoch, unsigned: the largest value means never
     */
    record TimerCreated(@JsonProperty("fire_at_ms") long fireAtMillis) implements EventKind {}

    /**
     * A timer is due.
     *
     * @param fireAtMillis milliseconds since the epoch, unsigned
     */
    record TimerFired(@JsonProperty("fire_at_ms") long fireAtMillis) implements EventKind {}

    /** The orchestration waits for an external event. */
    record ExternalSubscribed(String name) implements EventKind {
        public ExternalSubscribed {
            Objects.requireNonNull(name, "name");
        }
    }

    /** An external event arrived. */
    record ExternalEvent(String name, String data) implements EventKind {
        public ExternalEvent {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(data, "data");
        }
    }

    /**
     * Another orchestration was started, and nobody waits for it.
     *
     * @param instance the id of the one started
     */
    record OrchestrationChained(String name, String instance, String input) implements EventKind {
        public OrchestrationChained {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(instance, "instance");
            Objects.requireNonNull(input, "input");
        }
    }

    /**
     * A child was started.
     *
     * @param instance the child's id
     */
    record SubOrchestrationScheduled(String name, String instance, String input) implements EventKind {
        public SubOrchestrationScheduled {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(instance, "instance");
            Objects.requireNonNull(input, "input");
        }
    }

    /** A child returned. */
    record SubOrchestrationCompleted(String result) implements EventKind {
        public SubOrchestrationCompleted {
            Objects.requireNonNull(result, "result");
        }
    }

    /** A child failed. */
    record SubOrchestrationFailed(ErrorDetails details) implements EventKind {
        public SubOrchestrationFailed {
            Objects.requireNonNull(details, "details");
        }
    }

    /** The orchestration no longer waits for a child. */
    record SubOrchestrationCancelRequested(String reason) implements EventKind {
        public SubOrchestrationCancelRequested {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * The execution ended and a new one follows.
     *
     * @param input the input of the next execution
     */
    record OrchestrationContinuedAsNew(String input) implements EventKind {
        public OrchestrationContinuedAsNew {
            Objects.requireNonNull(input, "input");
        }
    }

    /** Somebody asked the orchestration to stop. */
    record OrchestrationCancelRequested(String reason) implements EventKind {
        public OrchestrationCancelRequested {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /** The orchestration no longer waits for an external event. */
    record ExternalSubscribedCancelled(String reason) implements EventKind {
        public ExternalSubscribedCancelled {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * The orchestration waits for a message of a queue.
     *
     * @param name the queue
     */
    record ExternalSubscribedPersistent(String name) implements EventKind {
        public ExternalSubscribedPersistent {
            Objects.requireNonNull(name, "name");
        }
    }

    /**
     * A message of a queue was delivered.
     *
     * @param name the queue
     */
    record ExternalEventPersistent(String name, String data) implements EventKind {
        public ExternalEventPersistent {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(data, "data");
        }
    }

    /** The orchestration no longer waits for a message of a queue. */
    record ExternalSubscribedPersistentCancelled(String reason) implements EventKind {
        public ExternalSubscribedPersistentCancelled {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * The orchestration set or cleared its custom status.
     *
     * @param status null clears it
     */
    record CustomStatusUpdated(@JsonInclude @Nullable String status) implements EventKind {}

    /**
     * The orchestration set a key.
     *
     * @param lastUpdatedAtMillis milliseconds since the epoch; 0 when an older runtime wrote it
     */
    record KeyValueSet(
            String key,
            String value,

            @JsonProperty(value = "last_updated_at_ms", defaultValue = "0")
            long lastUpdatedAtMillis)
            implements EventKind {
        public KeyValueSet {
            Objects.requireNonNull(key, "key");
            Objects.requireNonNull(value, "value");
        }
    }

    /** The orchestration cleared a key. */
    record KeyValueCleared(String key) implements EventKind {
        public KeyValueCleared {
            Objects.requireNonNull(key, "key");
        }
    }

    /** The orchestration cleared all its keys. */
    record KeyValuesCleared() implements EventKind {}
}
