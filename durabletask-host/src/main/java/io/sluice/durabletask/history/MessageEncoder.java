package io.sluice.durabletask.history;

import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.ExtraFields;
import io.sluice.provider.work.WorkItem;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Events of DurableTask as messages that bring them to an instance. What the receiving turn stores is the same event.
 */
public final class MessageEncoder {
    private static final long FIRST_EXECUTION = 1;

    private MessageEncoder() {}

    /**
     * Starts an instance.
     *
     * @param started an {@code executionStarted}
     * @param parent who awaits the result; null for a root
     */
    public static WorkItem.StartOrchestration start(
            String instance, Protocol.HistoryEvent started, @Nullable ParentLink parent) {
        EncodedEvent event = EventEncoder.encode(started);
        EventKind.OrchestrationStarted kind = as(EventKind.OrchestrationStarted.class, event);
        return new WorkItem.StartOrchestration(
                instance,
                kind.name(),
                kind.input(),
                kind.version().isEmpty() ? null : kind.version(),
                parent == null ? null : parent.instance(),
                parent == null ? null : parent.eventId(),
                parent == null ? null : parent.executionId(),
                FIRST_EXECUTION,
                extras(event));
    }

    /**
     * Starts the next execution of an instance.
     *
     * @param started an {@code executionStarted}
     * @param parent who awaits the result; null for a root
     * @param carryover what the ended execution has not consumed
     * @param customStatus what the ended execution leaves; null for none
     */
    public static WorkItem.ContinueAsNew continueAsNew(
            String instance,
            Protocol.HistoryEvent started,
            @Nullable ParentLink parent,
            List<Protocol.HistoryEvent> carryover,
            @Nullable String customStatus) {
        EncodedEvent event = EventEncoder.encode(started)
                .carrying(carryover.stream()
                        .map(Protocol.HistoryEvent::toByteString)
                        .toList());
        EventKind.OrchestrationStarted kind = as(EventKind.OrchestrationStarted.class, event);
        return new WorkItem.ContinueAsNew(
                instance,
                kind.name(),
                kind.input(),
                kind.version().isEmpty() ? null : kind.version(),
                parent == null ? null : parent.instance(),
                parent == null ? null : parent.eventId(),
                parent == null ? null : parent.executionId(),
                List.of(),
                customStatus,
                extras(event));
    }

    /**
     * Gives an activity to the workers.
     *
     * @param place of the event in the history
     * @param scheduled a {@code taskScheduled}
     * @param executionGuid of the execution that has scheduled it
     * @param version of the orchestration that has scheduled it; null for none
     */
    public static WorkItem.ActivityExecute activity(
            EventPlace place, Protocol.HistoryEvent scheduled, String executionGuid, @Nullable String version) {
        EncodedEvent event = EventEncoder.encode(scheduled).scheduledBy(executionGuid, version);
        EventKind.ActivityScheduled kind = as(EventKind.ActivityScheduled.class, event);
        return new WorkItem.ActivityExecute(
                place.instance(),
                place.executionId(),
                place.eventId(),
                kind.name(),
                kind.input(),
                null,
                kind.tag(),
                extras(event));
    }

    /**
     * Brings an activity's outcome.
     *
     * @param ended a {@code taskCompleted} or {@code taskFailed}
     */
    public static WorkItem activityEnded(ScheduledActivityIdentifier activity, Protocol.HistoryEvent ended) {
        EncodedEvent event = EventEncoder.encode(ended);
        if (event.kind() instanceof EventKind.ActivityFailed failed) {
            return new WorkItem.ActivityFailed(
                    activity.instance(),
                    activity.executionId(),
                    activity.activityId(),
                    failed.details(),
                    extras(event));
        }
        String result = as(EventKind.ActivityCompleted.class, event).result();
        return new WorkItem.ActivityCompleted(
                activity.instance(), activity.executionId(), activity.activityId(), result, extras(event));
    }

    /**
     * Brings an activity's outcome.
     *
     * @param activity what the worker was given
     * @param ended a {@code taskCompleted} or {@code taskFailed}
     */
    public static WorkItem activityEnded(WorkItem.ActivityExecute activity, Protocol.HistoryEvent ended) {
        return activityEnded(
                new ScheduledActivityIdentifier(activity.instance(), activity.executionId(), activity.id()), ended);
    }

    /**
     * Wakes an instance when a timer is due.
     *
     * @param place of the event that has set the timer
     * @param fired a {@code timerFired}, without a timestamp: it gets one when it is due
     */
    public static WorkItem.TimerFired timer(EventPlace place, Protocol.HistoryEvent fired) {
        EncodedEvent event = EventEncoder.encode(fired);
        long fireAtMillis = as(EventKind.TimerFired.class, event).fireAtMillis();
        return new WorkItem.TimerFired(
                place.instance(), place.executionId(), place.eventId(), fireAtMillis, extras(event));
    }

    /**
     * Brings a child's outcome to its parent.
     *
     * @param parentGuid of the parent's execution that has scheduled the child; empty when it has none
     * @param ended a {@code subOrchestrationInstanceCompleted} or {@code subOrchestrationInstanceFailed}
     */
    public static WorkItem childEnded(ParentLink parent, String parentGuid, Protocol.HistoryEvent ended) {
        EncodedEvent encoded = EventEncoder.encode(ended);
        EncodedEvent event = parentGuid.isEmpty() ? encoded : encoded.scheduledBy(parentGuid, null);
        if (event.kind() instanceof EventKind.SubOrchestrationFailed failed) {
            ErrorDetails details = failed.details();
            return new WorkItem.SubOrchFailed(
                    parent.instance(), parent.executionId(), parent.eventId(), details, extras(event));
        }
        String result = as(EventKind.SubOrchestrationCompleted.class, event).result();
        return new WorkItem.SubOrchCompleted(
                parent.instance(), parent.executionId(), parent.eventId(), result, extras(event));
    }

    /** Whether {@link #external} can bring this event. */
    public static boolean isExternal(Protocol.HistoryEvent event) {
        return EventTable.of(event).isPresent()
                && isExternal(EventEncoder.encode(event).kind());
    }

    private static boolean isExternal(EventKind kind) {
        return kind instanceof EventKind.ExternalEvent || kind instanceof EventKind.OrchestrationCancelRequested;
    }

    /**
     * Brings what comes from outside: a raised event, a termination, a suspension, a resumption, or a message of an
     * entity.
     *
     * @throws IllegalArgumentException when it is none of these
     */
    public static WorkItem external(String instance, Protocol.HistoryEvent arriving) {
        EncodedEvent event = EventEncoder.encode(arriving);
        if (event.kind() instanceof EventKind.OrchestrationCancelRequested cancel) {
            return new WorkItem.CancelInstance(instance, cancel.reason(), extras(event));
        }
        EventKind.ExternalEvent raised = as(EventKind.ExternalEvent.class, event);
        return new WorkItem.ExternalRaised(instance, raised.name(), raised.data(), extras(event));
    }

    /**
     * Asks an instance to end.
     *
     * @param reason what its output becomes; null for none
     * @param recurse whether its children end along with it
     */
    public static WorkItem termination(String instance, @Nullable String reason, boolean recurse, Instant time) {
        return external(instance, terminated(reason, recurse, time));
    }

    private static Protocol.HistoryEvent terminated(@Nullable String reason, boolean recurse, Instant time) {
        Protocol.HistoryEvent.Builder event = Wire.outsideEvent(time);
        event.getExecutionTerminatedBuilder().setRecurse(recurse);
        if (reason != null) {
            event.getExecutionTerminatedBuilder().setInput(Wire.text(reason));
        }
        return event.build();
    }

    /**
     * Asks an instance to end whose start is put off. It is that start again, to be taken at once, and brings the
     * termination along: so the execution begins terminated, by one message. Whichever start comes second is dropped,
     * and what it brings is taken, unless the instance has ended by then.
     *
     * @param start that waits; made by a host
     */
    public static WorkItem.StartOrchestration terminatedStart(
            WorkItem.StartOrchestration start, @Nullable String reason, boolean recurse, Instant time) {
        DtFields fields = DtFields.in(start.extras())
                .orElseThrow(() -> new IllegalArgumentException(
                        "the start of instance '" + start.instance() + "' is none of a host"));
        return new WorkItem.StartOrchestration(
                start.instance(),
                start.orchestration(),
                start.input(),
                start.version(),
                start.parentInstance(),
                start.parentId(),
                start.parentExecutionId(),
                start.executionId(),
                fields.carrying(List.of(terminated(reason, recurse, time).toByteString()))
                        .toExtras());
    }

    private static ExtraFields extras(EncodedEvent event) {
        return event.fields().toExtras();
    }

    private static <K extends EventKind> K as(Class<K> kind, EncodedEvent event) {
        if (!kind.isInstance(event.kind())) {
            throw new IllegalArgumentException(
                    "no message of this kind brings a " + event.kind().type());
        }
        return kind.cast(event.kind());
    }
}
