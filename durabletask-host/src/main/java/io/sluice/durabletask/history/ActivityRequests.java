package io.sluice.durabletask.history;

import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.work.WorkItem;

/** Activities as workers get them. */
public final class ActivityRequests {
    private ActivityRequests() {}

    /**
     * The request for a queued activity.
     *
     * @throws HistoryFormatException naming the activity, when no host of this version has queued it
     */
    public static Protocol.ActivityRequest of(WorkItem.ActivityExecute activity) {
        try {
            DtFields fields = DtFields.in(activity.extras())
                    .orElseThrow(() -> new HistoryFormatException("dt: expected, for a host has queued it"));
            EventKind kind = new EventKind.ActivityScheduled(
                    activity.name(), activity.input(), activity.sessionId(), activity.tag());
            return request(activity.instance(), EventDecoder.decode(kind, fields), fields);
        } catch (HistoryFormatException e) {
            throw new HistoryFormatException(
                    "instance '" + activity.instance() + "', execution " + activity.executionId() + ", activity "
                            + activity.id() + ": " + e.getMessage(),
                    e);
        }
    }

    /**
     * The version that filters of workers judge: the version of the activity, else the version of the orchestration
     * that has scheduled it; empty for none.
     */
    public static String versionOf(WorkItem.ActivityExecute activity, Protocol.ActivityRequest request) {
        return request.hasVersion()
                ? request.getVersion().getValue()
                : DtFields.in(activity.extras())
                        .map(DtFields::orchestrationVersion)
                        .orElse("");
    }

    private static Protocol.ActivityRequest request(String instance, Protocol.HistoryEvent event, DtFields fields) {
        Protocol.TaskScheduledEvent scheduled = event.getTaskScheduled();
        Protocol.ActivityRequest.Builder request = Protocol.ActivityRequest.newBuilder()
                .setName(scheduled.getName())
                .setTaskId(event.getEventId())
                .putAllTags(scheduled.getTagsMap());
        request.getOrchestrationInstanceBuilder().setInstanceId(instance);
        if (fields.executionGuid() != null) {
            request.getOrchestrationInstanceBuilder().setExecutionId(Wire.text(fields.executionGuid()));
        }
        if (scheduled.hasVersion()) {
            request.setVersion(scheduled.getVersion());
        }
        if (scheduled.hasInput()) {
            request.setInput(scheduled.getInput());
        }
        if (scheduled.hasParentTraceContext()) {
            request.setParentTraceContext(scheduled.getParentTraceContext());
        }
        return request.build();
    }
}
