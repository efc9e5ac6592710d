package io.sluice.durabletask.turn;

import io.sluice.durabletask.history.EventPlace;
import io.sluice.durabletask.history.ExecutionFacts;
import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.wire.Failures;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.provider.work.WorkItem;
import java.util.Optional;

/** Schedules activities. */
final class TaskStart {
    private final ExecutionFacts facts;
    private final TurnDelta delta;

    /**
     * For one turn.
     *
     * @param facts of the execution that schedules them
     */
    TaskStart(ExecutionFacts facts, TurnDelta delta) {
        this.facts = facts;
        this.delta = delta;
    }

    /**
     * Records the activity and gives it to the workers. One whose input has no room fails at once, and is recorded
     * without input: the code sees why, as for a result that has no room, where a refused turn would be worked on again
     * without end.
     */
    void start(OrchestratorAction action) {
        EventPlace place = delta.next();
        Protocol.HistoryEvent event = scheduled(action);
        WorkItem.ActivityExecute activity =
                MessageEncoder.activity(place, event, facts.executionGuid(), facts.version());
        Optional<String> fault = TurnLimits.isSurelySmall(action)
                ? Optional.empty()
                : TurnLimits.activityFault(activity).or(() -> TurnLimits.eventFault(delta.preview(event)));
        if (fault.isEmpty()) {
            delta.add(action, event);
            delta.schedule(activity);
            return;
        }
        Protocol.HistoryEvent.Builder recorded = event.toBuilder();
        recorded.getTaskScheduledBuilder().clearInput();
        delta.add(action, recorded.build());
        delta.send(MessageEncoder.activityEnded(activity, refused(action, fault.get())));
    }

    private Protocol.HistoryEvent scheduled(OrchestratorAction action) {
        Protocol.ScheduleTaskAction task = action.getScheduleTask();
        Protocol.HistoryEvent.Builder event = delta.event(action.getId());
        event.getTaskScheduledBuilder().setName(task.getName()).putAllTags(task.getTagsMap());
        if (task.hasVersion()) {
            event.getTaskScheduledBuilder().setVersion(task.getVersion());
        }
        if (task.hasInput()) {
            event.getTaskScheduledBuilder().setInput(task.getInput());
        }
        if (task.hasParentTraceContext()) {
            event.getTaskScheduledBuilder().setParentTraceContext(task.getParentTraceContext());
        }
        return event.build();
    }

    private Protocol.HistoryEvent refused(OrchestratorAction action, String fault) {
        Protocol.HistoryEvent.Builder event = delta.outsideEvent();
        event.getTaskFailedBuilder()
                .setTaskScheduledId(action.getId())
                .setFailureDetails(Failures.tooLarge(TurnLimits.named(action, fault)));
        return event.build();
    }
}
