package io.sluice.durabletask.history;

import io.sluice.provider.history.EventKind;
import io.sluice.provider.work.WorkItem;
import org.jspecify.annotations.Nullable;

/**
 * What became of something that an execution has scheduled, as a message brings it.
 *
 * @param executionId of the execution
 * @param scheduledId of its event that scheduled it
 * @param scheduledBy the kind of that event
 * @param kind the event that the outcome becomes
 */
record TaskOutcome(long executionId, long scheduledId, Class<? extends EventKind> scheduledBy, EventKind kind) {
    /** The outcome in a message; null when it brings none. */
    static @Nullable TaskOutcome of(WorkItem message) {
        if (message instanceof WorkItem.ActivityCompleted completed) {
            return ofActivity(
                    completed.executionId(), completed.id(), new EventKind.ActivityCompleted(completed.result()));
        }
        if (message instanceof WorkItem.ActivityFailed failed) {
            return ofActivity(failed.executionId(), failed.id(), new EventKind.ActivityFailed(failed.details()));
        }
        if (message instanceof WorkItem.TimerFired fired) {
            EventKind kind = new EventKind.TimerFired(fired.fireAtMillis());
            return new TaskOutcome(fired.executionId(), fired.id(), EventKind.TimerCreated.class, kind);
        }
        if (message instanceof WorkItem.SubOrchCompleted completed) {
            return ofChild(
                    completed.parentExecutionId(),
                    completed.parentId(),
                    new EventKind.SubOrchestrationCompleted(completed.result()));
        }
        return message instanceof WorkItem.SubOrchFailed failed
                ? ofChild(
                        failed.parentExecutionId(),
                        failed.parentId(),
                        new EventKind.SubOrchestrationFailed(failed.details()))
                : null;
    }

    private static TaskOutcome ofActivity(long executionId, long scheduledId, EventKind kind) {
        return new TaskOutcome(executionId, scheduledId, EventKind.ActivityScheduled.class, kind);
    }

    private static TaskOutcome ofChild(long executionId, long scheduledId, EventKind kind) {
        return new TaskOutcome(executionId, scheduledId, EventKind.SubOrchestrationScheduled.class, kind);
    }
}
