package io.sluice.relay.streams;

import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import org.jspecify.annotations.Nullable;

/**
 * Whether events of an instance are missing between what is known of it and an event: they expired before they were
 * read, or could not be read. Pure.
 */
final class Continuity {
    /** The failure that a runtime writes behind a history that it can't read has this id, whatever was before it. */
    private static final long SENTINEL_EVENT = 99_999;

    private static final String CONTINUED = "OrchestrationContinuedAsNew";

    private Continuity() {}

    static boolean isNewLife(HistoryEvent event) {
        return event.kind() instanceof EventKind.OrchestrationStarted && event.executionId() <= 1;
    }

    /**
     * Whether an event belongs to what is known: not to a later life of an ended instance, whose beginning went with a
     * part of the history.
     *
     * @param jumps how often the partition's history was jumped over
     */
    static boolean isOfSameLife(Tracked before, HistoryEvent event, long jumps) {
        return isNewLife(event) || !before.status().state().isFinal() || !before.isFromBefore(jumps);
    }

    /** Which events were read after this one. */
    static Seen seen(@Nullable Tracked before, HistoryEvent event, long jumps) {
        boolean isStart = event.kind() instanceof EventKind.OrchestrationStarted;
        boolean whole = isStart || (before != null && before.isWhole() && follows(before, event));
        return new Seen(Math.max(event.eventId(), eventsBefore(before, event)), whole, jumps);
    }

    /** True, or null where nothing is missing of the life up to this event. */
    static @Nullable Boolean incomplete(@Nullable Tracked before, HistoryEvent event) {
        if (isNewLife(event)) {
            return null;
        }
        boolean isWhole = before != null && !hasGap(before.status()) && follows(before, event);
        return isWhole ? null : Boolean.TRUE;
    }

    /** An earlier version did not keep that events were missing, but a life without a beginning misses some. */
    private static boolean hasGap(InstanceStatus status) {
        return Boolean.TRUE.equals(status.incomplete()) || status.createdAt() == null;
    }

    private static boolean follows(Tracked before, HistoryEvent event) {
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

    private static long eventsBefore(@Nullable Tracked before, HistoryEvent event) {
        if (before == null || before.seen() == null || isNewLife(event)) {
            return 0;
        }
        return before.status().execution() == event.executionId()
                ? before.seen().event()
                : 0;
    }
}
