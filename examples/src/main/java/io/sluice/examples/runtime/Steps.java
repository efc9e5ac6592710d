package io.sluice.examples.runtime;

import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;

/** What kinds of events mean for the steps of an orchestration. */
final class Steps {
    private Steps() {}

    /** Whether the code that is replayed must ask for this event again. */
    static boolean isDecision(HistoryEvent event) {
        EventKind kind = event.kind();
        return isStep(event)
                || kind instanceof EventKind.OrchestrationChained
                || kind instanceof EventKind.KeyValueSet
                || kind instanceof EventKind.CustomStatusUpdated;
    }

    /** Whether the event schedules a step that has a result. */
    static boolean isStep(HistoryEvent event) {
        EventKind kind = event.kind();
        return isSubscription(event)
                || kind instanceof EventKind.ActivityScheduled
                || kind instanceof EventKind.TimerCreated
                || kind instanceof EventKind.SubOrchestrationScheduled;
    }

    static boolean isSubscription(HistoryEvent event) {
        return event.kind() instanceof EventKind.ExternalSubscribed
                || event.kind() instanceof EventKind.ExternalSubscribedPersistent;
    }

    static boolean isCancellation(HistoryEvent event) {
        return event.kind() instanceof EventKind.ActivityCancelRequested
                || event.kind() instanceof EventKind.SubOrchestrationCancelRequested;
    }

    static String value(EventKind result) {
        if (result instanceof EventKind.ActivityCompleted completed) {
            return completed.result();
        } else if (result instanceof EventKind.SubOrchestrationCompleted completed) {
            return completed.result();
        } else if (result instanceof EventKind.TimerFired) {
            return "";
        } else if (result instanceof EventKind.ActivityFailed failed) {
            throw new StepFailedException(failed.details());
        } else if (result instanceof EventKind.SubOrchestrationFailed failed) {
            throw new StepFailedException(failed.details());
        }
        throw new IllegalStateException("no result of a step: " + result);
    }
}
