package io.sluice.durabletask.history;

import io.sluice.durabletask.history.DroppedMessage.Reason;
import io.sluice.durabletask.history.ExecutionFacts.Ending;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes new events of a turn's messages: one execution's, once each. Pure but for the GUIDs. One turn's; not
 * thread-safe.
 *
 * <table>
 * <caption>What begins an execution</caption>
 * <tr><th>the fetched execution</th><th>begins with</th><th>other messages before it</th></tr>
 * <tr><td>has no history</td><td>a start</td><td>follow it</td></tr>
 * <tr><td>continued as new</td><td>the message of its continuation</td><td>follow it</td></tr>
 * <tr><td>finished</td><td>a start by a parent: SDKs retry a child under its id</td><td>are dropped</td></tr>
 * </table>
 */
public final class TurnEvents {
    private final OrchestrationItem item;
    private final Instant turnStart;
    private final Supplier<String> guids;
    private final List<NewEvent> events = new ArrayList<>();
    private final List<WorkItem> answers = new ArrayList<>();
    private final List<DroppedMessage> dropped = new ArrayList<>();
    private final Set<Long> completed = new HashSet<>();
    private ReplayedIds ids;
    private MessageDecoder decoder;
    private long executionId;
    private String guid;
    private boolean showsStaleStatus;

    private TurnEvents(OrchestrationItem item, Instant turnStart, Supplier<String> guids) {
        this.item = item;
        this.turnStart = turnStart;
        this.guids = guids;
        this.ids = ReplayedIds.of(item.history());
        this.decoder = new MessageDecoder(ids, turnStart);
        this.executionId = item.executionId();
        this.guid = "";
    }

    /**
     * What a fetched turn is about.
     *
     * @param turnStart the time of events that bring none
     * @param guids names an execution whose start brings no name
     * @throws HistoryFormatException when the history or a message cannot be read by this version
     */
    public static TurnIntake of(OrchestrationItem item, Instant turnStart, Supplier<String> guids) {
        if (item.historyError() != null) {
            throw new HistoryFormatException(
                    "instance '" + item.instance() + "': the history can't be read: " + item.historyError());
        }
        return new TurnEvents(item, turnStart, guids).intake();
    }

    private TurnIntake intake() {
        ExecutionFacts facts = ExecutionFacts.of(item.history(), ids);
        guid = facts.executionGuid();
        if (!item.history().isEmpty() && facts.ending() == Ending.NONE) {
            item.messages().forEach(this::take);
            return opened(item.history());
        }
        int first = indexOfStart(facts);
        if (first < 0) {
            if (facts.ending() != Ending.FINISHED) {
                return new TurnIntake.TooEarly();
            }
            item.messages().forEach(message -> drop(message, Reason.FINISHED));
            return new TurnIntake.Idle(answers, dropped);
        }
        showsStaleStatus = facts.ending() == Ending.FINISHED && facts.customStatus() != null;
        begin(first, facts.ending());
        return opened(List.of());
    }

    private TurnIntake opened(List<HistoryEvent> history) {
        return events.isEmpty()
                ? new TurnIntake.Idle(answers, dropped)
                : new TurnIntake.Open(executionId, history, events, answers, dropped, showsStaleStatus);
    }

    private int indexOfStart(ExecutionFacts facts) {
        for (int i = 0; i < item.messages().size(); i++) {
            WorkItem message = item.messages().get(i);
            boolean begins = switch (facts.ending()) {
                case NONE -> message instanceof WorkItem.StartOrchestration;
                case CONTINUED_AS_NEW -> message instanceof WorkItem.ContinueAsNew;
                case FINISHED ->
                    message instanceof WorkItem.StartOrchestration start
                            && start.parentInstance() != null
                            && !isSameStart(start);
            };
            if (begins) {
                return i;
            }
        }
        return -1;
    }

    private void begin(int first, Ending ending) {
        if (ending != Ending.NONE) {
            executionId++;
        }
        ids = ReplayedIds.of(List.of());
        decoder = new MessageDecoder(ids, turnStart);
        takeStart(item.messages().get(first));
        for (int i = 0; i < item.messages().size(); i++) {
            if (i < first && ending == Ending.FINISHED) {
                drop(item.messages().get(i), Reason.FINISHED);
            } else if (i != first) {
                take(item.messages().get(i));
            }
        }
    }

    private void takeStart(WorkItem message) {
        Protocol.HistoryEvent.Builder event = decoder.event(message).orElseThrow().toBuilder();
        Protocol.OrchestrationInstance.Builder instance =
                event.getExecutionStartedBuilder().getOrchestrationInstanceBuilder();
        instance.setInstanceId(item.instance());
        if (!instance.hasExecutionId()) {
            instance.setExecutionId(Wire.text(guids.get()));
        }
        guid = instance.getExecutionId().getValue();
        events.add(new NewEvent(event.build(), null, message));
        takeCarryover(message);
    }

    private void takeCarryover(WorkItem message) {
        decoder.carryover(message)
                .forEach(carried ->
                        events.add(new NewEvent(carried, null, MessageEncoder.external(item.instance(), carried))));
    }

    private void take(WorkItem message) {
        @Nullable TaskOutcome outcome = TaskOutcome.of(message);
        if (message instanceof WorkItem.StartOrchestration start) {
            refuse(start);
            // It is for the instance, as if it had come by itself.
            takeCarryover(start);
        } else if (message instanceof WorkItem.ContinueAsNew) {
            drop(message, Reason.STALE);
        } else if (outcome == null) {
            takeExternal(message);
        } else {
            takeOutcome(message, outcome);
        }
    }

    private void takeExternal(WorkItem message) {
        decoder.event(message)
                .ifPresentOrElse(
                        event -> events.add(new NewEvent(event, null, message)), () -> drop(message, Reason.FOREIGN));
    }

    private void takeOutcome(WorkItem message, TaskOutcome outcome) {
        long source = outcome.scheduledId();
        if (outcome.executionId() != executionId
                || !ids.isScheduled(source, outcome.scheduledBy())
                || isForAnotherGuid(message)) {
            drop(message, Reason.STALE);
        } else if (!ids.isAwaited(source, outcome.scheduledBy()) || !completed.add(source)) {
            drop(message, Reason.DUPLICATE);
        } else {
            events.add(new NewEvent(decoder.event(message).orElseThrow(), source, message));
        }
    }

    /**
     * Whether a child names another execution than this one. An instance that takes the place of another under its id
     * counts its executions and events anew, so that their numbers alone are those of a child before. A message without
     * a GUID is judged by its numbers: such are those of activities and timers, which go with the instance that they
     * belong to, those that the provider sends of starts it could not deliver, and those that hosts have sent before
     * there was one.
     */
    private boolean isForAnotherGuid(WorkItem outcome) {
        return DtFields.in(outcome.extras())
                .map(DtFields::executionGuid)
                .filter(named -> !named.equals(guid))
                .isPresent();
    }

    private void refuse(WorkItem.StartOrchestration start) {
        ParentLink parent = ParentLink.of(start);
        if (parent == null || isSameStart(start)) {
            drop(start, Reason.DUPLICATE);
            return;
        }
        drop(start, Reason.RUNNING);
        answers.add(MessageEncoder.childEnded(parent, ParentLink.guidIn(started(start)), alreadyRuns(start)));
    }

    private Protocol.HistoryEvent alreadyRuns(WorkItem.StartOrchestration start) {
        var event = Wire.outsideEvent(turnStart);
        event.getSubOrchestrationInstanceFailedBuilder()
                .setTaskScheduledId(started(start).getParentInstance().getTaskScheduledId())
                .getFailureDetailsBuilder()
                .setErrorType("InstanceAlreadyRunning")
                .setErrorMessage("an orchestration instance '" + item.instance() + "' is running already");
        return event.build();
    }

    /** Whether it is the message that began the execution, and not another one of the same parent. */
    private boolean isSameStart(WorkItem.StartOrchestration start) {
        String other =
                started(start).getOrchestrationInstance().getExecutionId().getValue();
        return !other.isEmpty() && other.equals(guid);
    }

    private Protocol.ExecutionStartedEvent started(WorkItem.StartOrchestration start) {
        return decoder.event(start).orElseThrow().getExecutionStarted();
    }

    private void drop(WorkItem message, Reason reason) {
        dropped.add(new DroppedMessage(message, reason));
    }
}
