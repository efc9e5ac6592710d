package io.sluice.durabletask.activity;

import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.turn.TurnLimits;
import io.sluice.durabletask.wire.Failures;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.TaskFailureDetails;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.work.WorkItem;
import java.time.Instant;
import java.util.Optional;

/**
 * What a worker has answered to an activity, as the message to the orchestration that acks the activity. Any host can
 * make it: all it needs of the activity is what names it.
 *
 * <p>A result that the store has no room for ({@link TurnLimits#MAX_EVENT_BYTES}) fails the activity, non-retriable:
 * trying again brings the same result, and side effects again. A failure that has no room loses its stack traces first,
 * then inner failures and properties, then the end of its message; one that is nested too deep loses what is innermost.
 */
public final class ActivityCompletion {
    private ActivityCompletion() {}

    /** The completion of an activity that this host has assigned. */
    public static WorkItem of(WorkItem.ActivityExecute activity, Protocol.ActivityResponse response, Instant now) {
        return of(
                new ScheduledActivityIdentifier(activity.instance(), activity.executionId(), activity.id()),
                response.getTaskId(),
                response,
                now);
    }

    /**
     * The completion of an activity.
     *
     * @param taskId DurableTask's id of the activity
     * @param response of one with both, the failure counts, not the result; what it says of ids does not
     * @param now the time that the orchestration sees
     */
    public static WorkItem of(
            ScheduledActivityIdentifier activity, int taskId, Protocol.ActivityResponse response, Instant now) {
        if (response.hasFailureDetails()) {
            return Failures.shortened(Failures.readable(response.getFailureDetails()))
                    .map(failure -> failed(activity, taskId, failure, now))
                    .filter(message -> TurnLimits.messageFault(message).isEmpty())
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("the shortest version of a failure has room"));
        }
        WorkItem completed = completed(activity, taskId, response, now);
        Optional<String> fault = TurnLimits.messageFault(completed);
        return fault.isEmpty()
                ? completed
                : failed(activity, taskId, Failures.tooLarge("the result of the activity: " + fault.get()), now);
    }

    private static WorkItem completed(
            ScheduledActivityIdentifier activity, int taskId, Protocol.ActivityResponse response, Instant now) {
        Protocol.HistoryEvent.Builder event = Wire.outsideEvent(now);
        event.getTaskCompletedBuilder().setTaskScheduledId(taskId);
        if (response.hasResult()) {
            event.getTaskCompletedBuilder().setResult(response.getResult());
        }
        return MessageEncoder.activityEnded(activity, event.build());
    }

    private static WorkItem failed(
            ScheduledActivityIdentifier activity, int taskId, TaskFailureDetails failure, Instant now) {
        Protocol.HistoryEvent.Builder event = Wire.outsideEvent(now);
        event.getTaskFailedBuilder().setTaskScheduledId(taskId).setFailureDetails(failure);
        return MessageEncoder.activityEnded(activity, event.build());
    }
}
