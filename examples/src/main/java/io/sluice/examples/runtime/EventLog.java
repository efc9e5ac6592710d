package io.sluice.examples.runtime;

import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The history of one execution while a turn runs: the stored events, followed by the new ones. */
final class EventLog {
    /** The contract version whose events this runtime writes. */
    static final String DUROXIDE_VERSION = "0.1.32";

    private final String instance;
    private final long executionId;
    private final long nowMillis;
    private final List<HistoryEvent> events;
    private final int stored;

    EventLog(String instance, long executionId, List<HistoryEvent> stored, long nowMillis) {
        this.instance = instance;
        this.executionId = executionId;
        this.nowMillis = nowMillis;
        this.events = new ArrayList<>(stored);
        this.stored = stored.size();
    }

    /** The empty log of the execution after this one. */
    EventLog next() {
        return new EventLog(instance, executionId + 1, List.of(), nowMillis);
    }

    String instance() {
        return instance;
    }

    long executionId() {
        return executionId;
    }

    long nowMillis() {
        return nowMillis;
    }

    boolean isEmpty() {
        return events.isEmpty();
    }

    List<HistoryEvent> all() {
        return List.copyOf(events);
    }

    /** The events this turn adds. */
    List<HistoryEvent> delta() {
        return List.copyOf(events.subList(stored, events.size()));
    }

    long nextEventId() {
        return events.isEmpty() ? 1 : events.get(events.size() - 1).eventId() + 1;
    }

    HistoryEvent append(@Nullable Long sourceEventId, EventKind kind) {
        HistoryEvent event = HistoryEvent.of(nextEventId(), instance, executionId, nowMillis, DUROXIDE_VERSION, kind);
        HistoryEvent linked = sourceEventId == null ? event : event.withSourceEventId(sourceEventId);
        events.add(linked);
        return linked;
    }

    Optional<HistoryEvent> first(Predicate<HistoryEvent> condition) {
        return events.stream().filter(condition).findFirst();
    }

    Optional<HistoryEvent> first(Class<? extends EventKind> kind) {
        return first(event -> kind.isInstance(event.kind()));
    }

    /** The result of a step, or the event that cancelled it. External events are matched by {@link Arrivals}. */
    Optional<HistoryEvent> closing(long scheduledEventId) {
        return first(event -> event.sourceEventId() != null
                && event.sourceEventId() == scheduledEventId
                && !(event.kind() instanceof EventKind.ExternalEvent));
    }

    boolean hasEnded() {
        return first(EventKind.OrchestrationCompleted.class).isPresent()
                || first(EventKind.OrchestrationFailed.class).isPresent();
    }

    EventKind.OrchestrationStarted started() {
        if (!events.isEmpty() && events.get(0).kind() instanceof EventKind.OrchestrationStarted started) {
            return started;
        }
        throw new IllegalStateException("the history of " + instance + " does not begin with its start");
    }
}
