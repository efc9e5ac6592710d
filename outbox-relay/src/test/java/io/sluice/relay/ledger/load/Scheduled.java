package io.sluice.relay.ledger.load;

import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;

/** What instances schedule, and what comes of it. */
public final class Scheduled {
    /** Brings a tag to a hub. */
    static final String TAG = "tag";

    static final String FAILING = "fail";
    static final String OF_SESSION = "charge";
    static final String LAST = "close";
    /** Called off before anybody does it. */
    static final String CALLED_OFF = "wait";

    private Scheduled() {}

    /** What an activity comes to. */
    public static WorkItem result(WorkItem.ActivityExecute execute) {
        if (execute.name().equals(FAILING)) {
            return new WorkItem.ActivityFailed(
                    execute.instance(), execute.executionId(), execute.id(), failure("as it was told"));
        }
        var result = execute.name().equals(TAG) ? execute.input() : "done";
        return new WorkItem.ActivityCompleted(execute.instance(), execute.executionId(), execute.id(), result);
    }

    static ErrorDetails failure(String text) {
        return new ErrorDetails.Application(ErrorDetails.ApplicationKind.Plain.ORCHESTRATION_FAILED, text, false);
    }

    /** Whether the event schedules what must be answered once. */
    public static boolean isAwaited(HistoryEvent event) {
        return (event.kind() instanceof EventKind.ActivityScheduled scheduled
                        && !scheduled.name().equals(CALLED_OFF)
                        && Tag.sentBy(event).isEmpty())
                || event.kind() instanceof EventKind.TimerCreated
                || event.kind() instanceof EventKind.SubOrchestrationScheduled;
    }
}
