package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.history.DecodingException;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds the sub-orchestrations that a history shows as scheduled and not as ended. One per history; not thread-safe.
 */
final class OpenSubOrchestrations {
    private final Set<String> scheduled = new HashSet<>();
    private final Set<String> ended = new HashSet<>();
    private boolean unreadable;

    /** Takes one event about a sub-orchestration, in any order. */
    void add(long execution, String eventData) {
        try {
            HistoryEvent event = HistoryJson.decode(eventData);
            if (event.kind() instanceof EventKind.SubOrchestrationScheduled) {
                scheduled.add(execution + ":" + event.eventId());
            } else if (event.kind() instanceof EventKind.SubOrchestrationCompleted
                    || event.kind() instanceof EventKind.SubOrchestrationFailed) {
                ended.add(execution + ":" + event.sourceEventId());
            }
        } catch (DecodingException e) {
            // A history that can't be read must not prevent the deletion of its instance; the messages are searched.
            unreadable = true;
        }
    }

    boolean any() {
        return unreadable || !ended.containsAll(scheduled);
    }
}
