package io.sluice.durabletask.dispatch;

import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.work.WorkItem;
import java.time.Instant;

final class ActivityCompletion {
    private ActivityCompletion() {}

    static WorkItem of(
            String instance,
            long executionId,
            long eventId,
            int taskId,
            Protocol.ActivityResponse response,
            Instant now) {
        Protocol.HistoryEvent.Builder event =
                Protocol.HistoryEvent.newBuilder().setEventId(-1).setTimestamp(Wire.timestamp(now));
        if (response.hasFailureDetails()) {
            event.getTaskFailedBuilder().setTaskScheduledId(taskId).setFailureDetails(response.getFailureDetails());
        } else {
            event.getTaskCompletedBuilder().setTaskScheduledId(taskId);
            if (response.hasResult()) {
                event.getTaskCompletedBuilder().setResult(response.getResult());
            }
        }
        WorkItem.ActivityExecute activity =
                new WorkItem.ActivityExecute(instance, executionId, eventId, "", "", null, null);
        return MessageEncoder.activityEnded(activity, event.build());
    }
}
