package io.sluice.durabletask.history;

import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an execution has scheduled, under both ids: DurableTask's, which is the id of an action, and the provider's,
 * which is the id of an event. Not changed once it is made.
 */
public final class ReplayedIds {
    private final Map<Long, HistoryEvent> scheduled = new LinkedHashMap<>();
    private final Map<Long, Integer> actions = new LinkedHashMap<>();
    private final Set<Integer> sent = new HashSet<>();
    private final Set<Long> completed = new HashSet<>();
    private long lastEventId;

    private ReplayedIds() {}

    /**
     * The ids of one execution.
     *
     * @throws HistoryFormatException naming the event, when this version cannot read it
     */
    public static ReplayedIds of(List<HistoryEvent> history) {
        ReplayedIds ids = new ReplayedIds();
        history.forEach(ids::add);
        return ids;
    }

    private void add(HistoryEvent event) {
        lastEventId = Math.max(lastEventId, event.eventId());
        EventKind kind = event.kind();
        if (kind instanceof EventKind.ActivityScheduled
                || kind instanceof EventKind.TimerCreated
                || kind instanceof EventKind.SubOrchestrationScheduled) {
            scheduled.put(event.eventId(), event);
            EventDecoder.fieldsOf(event).ifPresent(fields -> actions.put(event.eventId(), fields.id()));
        } else if (kind instanceof EventKind.ExternalSubscribed) {
            EventDecoder.fieldsOf(event).ifPresent(fields -> sent.add(fields.id()));
        } else if (event.sourceEventId() != null) {
            completed.add(event.sourceEventId());
        }
    }

    /** The id that the execution's next event gets. */
    public long nextEventId() {
        return lastEventId + 1;
    }

    /** The action that an event has recorded; -1 for null, and for an event that recorded none. */
    public int actionId(@Nullable Long eventId) {
        return eventId == null ? Wire.NO_ID : actions.getOrDefault(eventId, Wire.NO_ID);
    }

    /** Whether an action has sent its event: some SDKs ask for it again in every turn. */
    public boolean hasSent(int actionId) {
        return sent.contains(actionId);
    }

    /** The event that has recorded an action. */
    public OptionalLong eventId(int actionId) {
        return actions.entrySet().stream()
                .filter(action -> action.getValue() == actionId)
                .mapToLong(Map.Entry::getKey)
                .findFirst();
    }

    /** Whether this event has scheduled something of this kind, and nothing has completed it so far. */
    boolean isAwaited(long eventId, Class<? extends EventKind> kind) {
        HistoryEvent event = scheduled.get(eventId);
        return event != null && kind.isInstance(event.kind()) && !completed.contains(eventId);
    }

    /** Whether this event has scheduled something of this kind. */
    boolean isScheduled(long eventId, Class<? extends EventKind> kind) {
        HistoryEvent event = scheduled.get(eventId);
        return event != null && kind.isInstance(event.kind());
    }

    /** The instance ids of children that have not ended so far, in the order in which they were started. */
    public List<String> openChildren() {
        List<String> children = new ArrayList<>();
        scheduled.forEach((eventId, event) -> {
            if (event.kind() instanceof EventKind.SubOrchestrationScheduled child && !completed.contains(eventId)) {
                children.add(child.instance());
            }
        });
        return children;
    }
}
