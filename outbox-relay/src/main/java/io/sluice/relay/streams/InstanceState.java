package io.sluice.relay.streams;

import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.client.lifecycle.InstanceStatus.State;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of an instance between two of its events.
 *
 * @param executionStartedMillis null when the beginning of the execution was not read
 * @param lastEvent type of the latest history event
 * @param heardMillis the instance counts as silent from then on: the time when that event was read here, by this
 *     machine's clock, or the due time of the timer that the instance waits for
 * @param isReportedStuck whether the stuck topic has a record that has to be retracted
 * @param pending the tasks that the execution waits for, by the event that scheduled each; limited, see
 *     {@link InstanceStateMachine#MOST_PENDING}
 * @param timers due times, by the event that created each; limited, see {@link InstanceStateMachine#MOST_TIMERS}; null
 *     in states of an earlier version
 * @param seen which of its events were read; null in states of an earlier version
 */
record InstanceState(
        InstanceStatus status,
        @Nullable Long executionStartedMillis,
        String lastEvent,
        long heardMillis,
        boolean isReportedStuck,
        Map<Long, PendingTask> pending,
        @Nullable Map<Long, Long> timers,
        @Nullable ReadProgress seen) {

    InstanceState {
        pending = Map.copyOf(pending);
        timers = timers == null ? Map.of() : Map.copyOf(timers);
    }

    /** The timers; empty for states of an earlier version. */
    Map<Long, Long> knownTimers() {
        return timers == null ? Map.of() : timers;
    }

    /** Until when the instance sleeps: it has a timer and no known pending task; 0 when it does not sleep. */
    long sleepsUntilMillis() {
        return pending.isEmpty()
                ? knownTimers().values().stream()
                        .mapToLong(Long::longValue)
                        .min()
                        .orElse(0)
                : 0;
    }

    /** Whether all events of its execution were read: only then its pending tasks are known. */
    boolean isWhole() {
        return seen == null ? executionStartedMillis != null : seen.whole();
    }

    /**
     * Whether a part of the partition's history was skipped since its latest event was read.
     *
     * @param jumps how often that happened by now
     */
    boolean isFromBefore(long jumps) {
        return (seen == null ? 0 : seen.jumps()) < jumps;
    }

    InstanceState heardAt(long millis) {
        return new InstanceState(status, executionStartedMillis, lastEvent, millis, false, pending, timers, seen);
    }

    InstanceState reportedStuck() {
        return new InstanceState(status, executionStartedMillis, lastEvent, heardMillis, true, pending, timers, seen);
    }

    /** Its end may have been among expired events. */
    InstanceState lost(long nowMillis) {
        return new InstanceState(
                status.withState(State.UNKNOWN),
                executionStartedMillis,
                lastEvent,
                nowMillis,
                false,
                pending,
                timers,
                seen);
    }
}
