package io.sluice.examples.runtime;

import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.util.Optional;

/** How steps are found, answered and called off in a log. */
final class Steps {
    private Steps() {}

    static boolean isScheduling(HistoryEvent event) {
        EventKind kind = event.kind();
        return kind instanceof EventKind.ActivityScheduled
                || kind instanceof EventKind.TimerCreated
                || kind instanceof EventKind.ExternalSubscribed
                || kind instanceof EventKind.SubOrchestrationScheduled;
    }

    static boolean isTerminal(HistoryEvent event) {
        return event.kind() instanceof EventKind.OrchestrationCompleted
                || event.kind() instanceof EventKind.OrchestrationFailed;
    }

    /** The event that holds the step's result; a step that was called off has none. */
    static Optional<HistoryEvent> result(EventLog log, HistoryEvent scheduled) {
        if (scheduled.kind() instanceof EventKind.ExternalSubscribed) {
            return EventSubscriptions.of(log).eventFor(scheduled.eventId());
        }
        return log.closing(scheduled.eventId()).filter(event -> !isCancellation(event));
    }

    static String value(HistoryEvent result) {
        EventKind kind = result.kind();
        if (kind instanceof EventKind.ActivityCompleted completed) {
            return completed.result();
        } else if (kind instanceof EventKind.SubOrchestrationCompleted completed) {
            return completed.result();
        } else if (kind instanceof EventKind.ExternalEvent raised) {
            return raised.data();
        } else if (kind instanceof EventKind.TimerFired) {
            return "";
        } else if (kind instanceof EventKind.ActivityFailed failed) {
            throw new StepFailedException(failed.details());
        } else if (kind instanceof EventKind.SubOrchestrationFailed failed) {
            throw new StepFailedException(failed.details());
        }
        throw new IllegalStateException("event " + result.eventId() + " is no result: " + kind);
    }

    /**
     * Records that nobody waits for the step any more and stops what can be stopped. Does nothing for a step that has
     * ended.
     */
    static void cancel(EventLog log, TurnEffects effects, HistoryEvent scheduled, String reason) {
        long id = scheduled.eventId();
        if (log.closing(id).isPresent() || result(log, scheduled).isPresent()) {
            return;
        }
        if (scheduled.kind() instanceof EventKind.ActivityScheduled) {
            log.append(id, new EventKind.ActivityCancelRequested(reason));
            effects.cancel(new ScheduledActivityIdentifier(log.instance(), log.executionId(), id));
        } else if (scheduled.kind() instanceof EventKind.SubOrchestrationScheduled sub) {
            log.append(id, new EventKind.SubOrchestrationCancelRequested(reason));
            effects.toOrchestrators(new WorkItem.CancelInstance(sub.instance(), "parent canceled"));
        } else if (scheduled.kind() instanceof EventKind.ExternalSubscribed) {
            log.append(id, new EventKind.ExternalSubscribedCancelled(reason));
        }
        // A timer needs no calling off: when it fires, nobody asks for it.
    }

    private static boolean isCancellation(HistoryEvent event) {
        return event.kind() instanceof EventKind.ActivityCancelRequested
                || event.kind() instanceof EventKind.SubOrchestrationCancelRequested
                || event.kind() instanceof EventKind.ExternalSubscribedCancelled;
    }
}
