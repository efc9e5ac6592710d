package io.sluice.examples.measure;

import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import java.time.Instant;

/**
 * Takes the outbox latency from the times in the events, where no request log can be read: from the event that a
 * sub-orchestration is scheduled to its start, and from its end to the event of that in the parent. An upper bound,
 * since it includes the wait for a dispatcher.
 */
public final class EventTimes {
    private final OutboxLatency latency;

    /** Reports to {@code latency}. */
    public EventTimes(OutboxLatency latency) {
        this.latency = latency;
    }

    /** Takes the next event of any instance; each instance's events must come in order. */
    public void take(HistoryEvent event) {
        Instant at = Instant.ofEpochMilli(event.timestampMillis());
        String instance = event.instanceId();
        if (event.kind() instanceof EventKind.SubOrchestrationScheduled scheduled) {
            latency.committed("start of " + scheduled.instance(), at);
        } else if (event.kind() instanceof EventKind.OrchestrationStarted started && started.parentInstance() != null) {
            latency.delivered("start of " + instance, at);
        } else if (isEnding(event.kind()) && instance.contains("::sub::")) {
            latency.committed("end of " + instance, at);
        } else if (event.sourceEventId() != null && isAnswer(event.kind())) {
            latency.delivered("end of " + instance + "::sub::" + event.sourceEventId(), at);
        }
    }

    private static boolean isEnding(EventKind kind) {
        return kind instanceof EventKind.OrchestrationCompleted || kind instanceof EventKind.OrchestrationFailed;
    }

    private static boolean isAnswer(EventKind kind) {
        return kind instanceof EventKind.SubOrchestrationCompleted || kind instanceof EventKind.SubOrchestrationFailed;
    }
}
