package io.sluice.relay.streams;

import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.client.lifecycle.InstanceStatus.State;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of an instance between two of its events.
 *
 * @param executionStartedMillis null when the execution's beginning was not seen
 * @param lastEvent type of the latest history event
 * @param heardMillis from when on it counts as silent: when that event was read here, by this machine's clock, or when the timer is due that it sleeps by
 * @param isReportedStuck whether a record on the stuck topic has to be taken back
 * @param pending what the execution waits for, by the event that scheduled it; of many the first, see {@link Tracking#MOST_PENDING}
 * @param timers when they are due, by the event that made them; of many the first, see {@link Tracking#MOST_TIMERS}; null in what was kept by an earlier version
 * @param seen which of its events were read; null in what was kept by an earlier version
 */
record Tracked(
        InstanceStatus status,
        @Nullable Long executionStartedMillis,
        String lastEvent,
        long heardMillis,
        boolean isReportedStuck,
        Map<Long, Pending> pending,
        @Nullable Map<Long, Long> timers,
        @Nullable Seen seen) {

    Tracked {
        pending = Map.copyOf(pending);
        timers = timers == null ? Map.of() : Map.copyOf(timers);
    }

    /** The timers, none of an earlier version's. */
    Map<Long, Long> knownTimers() {
        return timers == null ? Map.of() : timers;
    }

    /** Until when it sleeps on purpose: it has a timer, and waits for nothing else that is known; 0 when it does not. */
    long sleepsUntilMillis() {
        return pending.isEmpty()
                ? knownTimers().values().stream()
                        .mapToLong(Long::longValue)
                        .min()
                        .orElse(0)
                : 0;
    }

    /** Whether all events of its execution were read: only then it is known what it waits for. */
    boolean isWhole() {
        return seen == null ? executionStartedMillis != null : seen.whole();
    }

    /**
     * Whether the partition's history was jumped over since its latest event was read.
     *
     * @param jumps how often it was by now
     */
    boolean isFromBefore(long jumps) {
        return (seen == null ? 0 : seen.jumps()) < jumps;
    }

    Tracked heardAt(long millis) {
        return new Tracked(status, executionStartedMillis, lastEvent, millis, false, pending, timers, seen);
    }

    Tracked reportedStuck() {
        return new Tracked(status, executionStartedMillis, lastEvent, heardMillis, true, pending, timers, seen);
    }

    /** Its end may have been among events that expired. */
    Tracked lost(long nowMillis) {
        return new Tracked(
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
