package io.sluice.relay.streams;

import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import org.jspecify.annotations.Nullable;

/**
 * Detects whether events of an instance are missing between its known state and a new event: they expired before they
 * were read, or could not be read. Pure.
 */
final class GapDetection {
    /**
     * The id of the failure event that a runtime appends to a history that it can't read, whatever the id before it.
     */
    private static final long SENTINEL_EVENT = 99_999;

    private static final String CONTINUED = "OrchestrationContinuedAsNew";

    private GapDetection() {}

    static boolean isNewLife(HistoryEvent event) {
        return event.kind() instanceof EventKind.OrchestrationStarted && event.executionId() <= 1;
    }

    /**
     * Whether an event belongs to the known life of an instance, and not to a later one whose beginning expired with a
     * part of the history.
     *
     * @param jumps how often a part of the partition's history was skipped
     */
    static boolean isOfSameLife(InstanceState before, HistoryEvent event, long jumps) {
        return isNewLife(event) || !before.status().state().isFinal() || !before.isFromBefore(jumps);
    }

    /** Which events are read once this one is. */
    static ReadProgress seen(@Nullable InstanceState before, HistoryEvent event, long jumps) {
        boolean isStart = event.kind() instanceof EventKind.OrchestrationStarted;
        boolean whole = isStart || (before != null && before.isWhole() && follows(before, event));
        return new ReadProgress(Math.max(event.eventId(), eventsBefore(before, event)), whole, jumps);
    }

    /** True, or null when no event of the life up to this one is missing. */
    static @Nullable Boolean incomplete(@Nullable InstanceState before, HistoryEvent event) {
        if (isNewLife(event)) {
            return null;
        }
        boolean isWhole = before != null && !hasGap(before.status()) && follows(before, event);
        return isWhole ? null : Boolean.TRUE;
    }

    /** An earlier version did not note missing events; but a life without a beginning has missing events. */
    private static boolean hasGap(InstanceStatus status) {
        return Boolean.TRUE.equals(status.incomplete()) || status.createdAt() == null;
    }

    private static boolean follows(InstanceState before, HistoryEvent event) {
        long execution = before.status().execution();
        if (event.executionId() > execution) {
            return event.executionId() == execution + 1
                    && event.eventId() == 1
                    && before.lastEvent().equals(CONTINUED);
        }
        if (event.executionId() < execution || before.seen() == null) {
            return true;
        }
        return event.eventId() <= before.seen().event() + 1 || isSentinel(event);
    }

    private static boolean isSentinel(HistoryEvent event) {
        return event.eventId() == SENTINEL_EVENT && event.kind() instanceof EventKind.OrchestrationFailed;
    }

    private static long eventsBefore(@Nullable InstanceState before, HistoryEvent event) {
        if (before == null || before.seen() == null || isNewLife(event)) {
            return 0;
        }
        return before.status().execution() == event.executionId()
                ? before.seen().event()
                : 0;
    }
}
