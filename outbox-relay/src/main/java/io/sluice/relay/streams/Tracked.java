package io.sluice.relay.streams;

import io.sluice.client.lifecycle.InstanceStatus;
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
 */
record Tracked(
        InstanceStatus status,
        @Nullable Long executionStartedMillis,
        String lastEvent,
        long heardMillis,
        boolean isReportedStuck,
        Map<Long, Pending> pending,
        @Nullable Map<Long, Long> timers) {

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

    Tracked heardAt(long millis) {
        return new Tracked(status, executionStartedMillis, lastEvent, millis, false, pending, timers);
    }

    Tracked reportedStuck() {
        return new Tracked(status, executionStartedMillis, lastEvent, heardMillis, true, pending, timers);
    }
}
