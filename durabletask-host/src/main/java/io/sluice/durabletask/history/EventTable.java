package io.sluice.durabletask.history;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.TaskFailureDetails;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.ErrorDetails.ApplicationKind;
import io.sluice.provider.history.EventKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Which event of the provider stands for which event of DurableTask: one row per kind. */
final class EventTable {
    private static final String[] NOTHING = {};
    private static final String[] INPUT = {"input"};
    private static final String[] RESULT = {"result"};
    private static final String[] MESSAGE = {"failureDetails.errorMessage"};

    /** How an execution ends when it neither fails, nor is terminated, nor continues as new. */
    private static final Row COMPLETED = row(
            EventTypeCase.EXECUTIONCOMPLETED,
            RESULT,
            EventKind.OrchestrationCompleted.class,
            (event, s) -> new EventKind.OrchestrationCompleted(s.get(0)),
            kind -> List.of(kind.output()));

    private static final Row CONTINUED_AS_NEW = row(
            EventTypeCase.EXECUTIONCOMPLETED,
            RESULT,
            EventKind.OrchestrationContinuedAsNew.class,
            (event, s) -> new EventKind.OrchestrationContinuedAsNew(s.get(0)),
            kind -> List.of(kind.input()));

    private static final Row FAILED = row(
            EventTypeCase.EXECUTIONCOMPLETED,
            MESSAGE,
            EventKind.OrchestrationFailed.class,
            (event, s) -> new EventKind.OrchestrationFailed(failure(
                    ApplicationKind.Plain.ORCHESTRATION_FAILED,
                    s.get(0),
                    event.getExecutionCompleted().getFailureDetails())),
            kind -> List.of(kind.details().text()));

    private static final Row TERMINATED = row(
            EventTypeCase.EXECUTIONCOMPLETED,
            RESULT,
            EventKind.OrchestrationFailed.class,
            (event, s) -> new EventKind.OrchestrationFailed(
                    new ErrorDetails.Application(new ApplicationKind.Cancelled(s.get(0)), "", false)),
            kind -> List.of(reason(kind.details())));

    private static final Map<EventTypeCase, Row> ROWS = new EnumMap<>(EventTypeCase.class);

    static {
        add(row(
                EventTypeCase.EXECUTIONSTARTED,
                new String[] {"name", "version", "input"},
                EventKind.OrchestrationStarted.class,
                (event, s) ->
                        new EventKind.OrchestrationStarted(s.get(0), s.get(1), s.get(2), null, null, null, null, null),
                kind -> List.of(kind.name(), kind.version(), kind.input())));
        add(row(
                EventTypeCase.EXECUTIONTERMINATED,
                INPUT,
                EventKind.OrchestrationCancelRequested.class,
                (event, s) -> new EventKind.OrchestrationCancelRequested(s.get(0)),
                kind -> List.of(kind.reason())));
        add(row(
                EventTypeCase.CONTINUEASNEW,
                INPUT,
                EventKind.OrchestrationContinuedAsNew.class,
                (event, s) -> new EventKind.OrchestrationContinuedAsNew(s.get(0)),
                kind -> List.of(kind.input())));

        add(row(
                EventTypeCase.TASKSCHEDULED,
                new String[] {"name", "input"},
                EventKind.ActivityScheduled.class,
                // The tag is for workers that serve some activities only: they are asked for by it.
                (event, s) -> new EventKind.ActivityScheduled(s.get(0), s.get(1), null, s.get(0)),
                kind -> List.of(kind.name(), kind.input())));
        add(row(
                EventTypeCase.TASKCOMPLETED,
                RESULT,
                EventKind.ActivityCompleted.class,
                (event, s) -> new EventKind.ActivityCompleted(s.get(0)),
                kind -> List.of(kind.result())));
        add(row(
                EventTypeCase.TASKFAILED,
                MESSAGE,
                EventKind.ActivityFailed.class,
                (event, s) -> new EventKind.ActivityFailed(failure(
                        ApplicationKind.Plain.ACTIVITY_FAILED,
                        s.get(0),
                        event.getTaskFailed().getFailureDetails())),
                kind -> List.of(kind.details().text())));

        add(row(
                EventTypeCase.SUBORCHESTRATIONINSTANCECREATED,
                new String[] {"name", "instanceId", "input"},
                EventKind.SubOrchestrationScheduled.class,
                (event, s) -> new EventKind.SubOrchestrationScheduled(s.get(0), s.get(1), s.get(2)),
                kind -> List.of(kind.name(), kind.instance(), kind.input())));
        add(row(
                EventTypeCase.SUBORCHESTRATIONINSTANCECOMPLETED,
                RESULT,
                EventKind.SubOrchestrationCompleted.class,
                (event, s) -> new EventKind.SubOrchestrationCompleted(s.get(0)),
                kind -> List.of(kind.result())));
        add(row(
                EventTypeCase.SUBORCHESTRATIONINSTANCEFAILED,
                MESSAGE,
                EventKind.SubOrchestrationFailed.class,
                (event, s) -> new EventKind.SubOrchestrationFailed(failure(
                        ApplicationKind.Plain.ORCHESTRATION_FAILED,
                        s.get(0),
                        event.getSubOrchestrationInstanceFailed().getFailureDetails())),
                kind -> List.of(kind.details().text())));

        add(row(
                EventTypeCase.TIMERCREATED,
                NOTHING,
                EventKind.TimerCreated.class,
                (event, s) -> new EventKind.TimerCreated(
                        Wire.millisNotBefore(event.getTimerCreated().getFireAt())),
                kind -> List.of()));
        add(row(
                EventTypeCase.TIMERFIRED,
                NOTHING,
                EventKind.TimerFired.class,
                (event, s) -> new EventKind.TimerFired(
                        Wire.millisNotBefore(event.getTimerFired().getFireAt())),
                kind -> List.of()));

        add(row(
                EventTypeCase.EVENTRAISED,
                new String[] {"name", "input"},
                EventKind.ExternalEvent.class,
                (event, s) -> new EventKind.ExternalEvent(OwnNames.raised(s.get(0)), s.get(1)),
                kind -> List.of(OwnNames.asRaised(kind.name()), kind.data())));
        add(row(
                EventTypeCase.EVENTSENT,
                NOTHING,
                EventKind.ExternalSubscribed.class,
                (event, s) -> new EventKind.ExternalSubscribed("dt:event-sent"),
                kind -> List.of()));

        add(external(EventTypeCase.EXECUTIONSUSPENDED, "dt:suspended", INPUT));
        add(external(EventTypeCase.EXECUTIONRESUMED, "dt:resumed", INPUT));
        add(external(EventTypeCase.EXECUTIONREWOUND, "dt:rewound", INPUT));
        add(external(EventTypeCase.ENTITYOPERATIONSIGNALED, "dt:entity-signaled", INPUT));
        add(external(EventTypeCase.ENTITYOPERATIONCALLED, "dt:entity-called", INPUT));
        add(external(EventTypeCase.ENTITYOPERATIONCOMPLETED, "dt:entity-completed", new String[] {"output"}));
        add(external(EventTypeCase.ENTITYOPERATIONFAILED, "dt:entity-failed", MESSAGE));
        add(external(EventTypeCase.ENTITYLOCKREQUESTED, "dt:entity-lock-requested", NOTHING));
        add(external(EventTypeCase.ENTITYLOCKGRANTED, "dt:entity-lock-granted", NOTHING));
        add(external(EventTypeCase.ENTITYUNLOCKSENT, "dt:entity-unlock-sent", NOTHING));
    }

    private EventTable() {}

    /**
     * How one kind of event is stored.
     *
     * @param field where the event has what it says
     * @param slots the strings that the provider's event holds
     * @param toKind the provider's event, made of the whole event and these strings
     * @param toStrings these strings, in the provider's event
     */
    record Row(
            FieldDescriptor field,
            PayloadSlots slots,
            BiFunction<Protocol.HistoryEvent, List<String>, ? extends EventKind> toKind,
            Function<EventKind, List<String>> toStrings) {
        /** Where the strings of an event being made belong. */
        Message.Builder body(Protocol.HistoryEvent.Builder event) {
            return event.getFieldBuilder(field);
        }
    }

    /** The row of an event; empty for those that are derived, or that no SDK uses. */
    static Optional<Row> of(Protocol.HistoryEventOrBuilder event) {
        if (event.getEventTypeCase() != EventTypeCase.EXECUTIONCOMPLETED) {
            return Optional.ofNullable(ROWS.get(event.getEventTypeCase()));
        }
        return Optional.of(
                switch (event.getExecutionCompleted().getOrchestrationStatus()) {
                    case ORCHESTRATION_STATUS_CONTINUED_AS_NEW -> CONTINUED_AS_NEW;
                    case ORCHESTRATION_STATUS_FAILED -> FAILED;
                    case ORCHESTRATION_STATUS_TERMINATED, ORCHESTRATION_STATUS_CANCELED -> TERMINATED;
                    case ORCHESTRATION_STATUS_RUNNING,
                            ORCHESTRATION_STATUS_COMPLETED,
                            ORCHESTRATION_STATUS_PENDING,
                            ORCHESTRATION_STATUS_SUSPENDED,
                            UNRECOGNIZED -> COMPLETED;
                });
    }

    private static void add(Row row) {
        ROWS.put(EventTypeCase.forNumber(row.field().getNumber()), row);
    }

    private static <K extends EventKind> Row row(
            EventTypeCase type,
            String[] payloads,
            Class<K> kind,
            BiFunction<Protocol.HistoryEvent, List<String>, K> toKind,
            Function<K, List<String>> toStrings) {
        FieldDescriptor field = Protocol.HistoryEvent.getDescriptor().findFieldByNumber(type.getNumber());
        return new Row(field, PayloadSlots.of(field.getMessageType(), payloads), toKind, found -> {
            if (!kind.isInstance(found)) {
                throw new HistoryFormatException("dt.p: a " + field.getName() + " belongs in " + kind.getSimpleName()
                        + ", found one in " + found.type());
            }
            return toStrings.apply(kind.cast(found));
        });
    }

    /** An event that the provider has no kind for: an external event under a name of the host's own. */
    private static Row external(EventTypeCase type, String name, String[] payload) {
        return row(
                type,
                payload,
                EventKind.ExternalEvent.class,
                (event, s) -> new EventKind.ExternalEvent(name, s.isEmpty() ? "" : s.get(0)),
                kind -> payload.length == 0 ? List.of() : List.of(kind.data()));
    }

    private static ErrorDetails failure(ApplicationKind kind, String message, TaskFailureDetails details) {
        return new ErrorDetails.Application(kind, message, !details.getIsNonRetriable());
    }

    private static String reason(ErrorDetails details) {
        return details instanceof ErrorDetails.Application application
                        && application.kind() instanceof ApplicationKind.Cancelled cancelled
                ? cancelled.reason()
                : details.text();
    }
}
