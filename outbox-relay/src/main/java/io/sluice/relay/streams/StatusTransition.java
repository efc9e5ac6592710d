package io.sluice.relay.streams;

import io.sluice.client.lifecycle.Fact;
import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.client.lifecycle.InstanceStatus.Counts;
import io.sluice.client.lifecycle.InstanceStatus.State;
import io.sluice.provider.history.HistoryEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The status of an instance before and after an event. Pure. */
final class StatusTransition {
    private StatusTransition() {}

    /** The status of an instance without known events. */
    static InstanceStatus unknown(HistoryEvent event) {
        return new InstanceStatus(
                event.instanceId(),
                event.instanceId(),
                null,
                null,
                State.RUNNING,
                event.executionId(),
                null,
                event.instanceId(),
                null,
                null,
                null,
                null,
                Instant.ofEpochMilli(event.timestampMillis()),
                Counts.NONE,
                Counts.NONE,
                true);
    }

    /**
     * The status after an event that starts no execution.
     *
     * @param fact that follows from the event, null for none
     * @param incomplete whether events of the instance are missing; null when none is
     */
    static InstanceStatus after(
            InstanceStatus before, HistoryEvent event, @Nullable Fact fact, @Nullable Boolean incomplete) {
        State state = before.state() == State.UNKNOWN ? State.RUNNING : before.state();
        var customStatus = before.customStatus();
        var output = before.output();
        var failure = before.failure();
        if (fact instanceof Fact.Completed completed) {
            state = State.COMPLETED;
            output = completed.output();
        } else if (fact instanceof Fact.Failed failed) {
            state = State.FAILED;
            failure = failed.failure();
        } else if (fact instanceof Fact.Cancelled) {
            state = State.CANCELLED;
        } else if (fact instanceof Fact.CustomStatusChanged changed) {
            customStatus = changed.status();
        }
        return new InstanceStatus(
                before.id(),
                before.instance(),
                before.orchestration(),
                before.version(),
                state,
                event.executionId(),
                before.parent(),
                before.correlation(),
                customStatus,
                output,
                failure,
                before.createdAt(),
                Instant.ofEpochMilli(event.timestampMillis()),
                plus(
                        before.activities(),
                        fact instanceof Fact.ActivityScheduled,
                        fact instanceof Fact.ActivityCompleted,
                        fact instanceof Fact.ActivityFailed),
                plus(
                        before.subOrchestrations(),
                        fact instanceof Fact.SubOrchestrationStarted started && !started.detached(),
                        fact instanceof Fact.SubOrchestrationCompleted,
                        fact instanceof Fact.SubOrchestrationFailed),
                incomplete);
    }

    private static Counts plus(Counts counts, boolean started, boolean completed, boolean failed) {
        return new Counts(
                counts.started() + (started ? 1 : 0),
                counts.completed() + (completed ? 1 : 0),
                counts.failed() + (failed ? 1 : 0));
    }
}
