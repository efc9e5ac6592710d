package io.sluice.examples.runtime;

import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The history of one execution while a turn runs: the stored events, followed by the new ones. */
final class EventLog {
    private final String instance;
    private final long executionId;
    private final long nowMillis;
    private final List<HistoryEvent> events;
    private final int stored;

    EventLog(OrchestrationItem item, long nowMillis) {
        this.instance = item.instance();
        this.executionId = item.executionId();
        this.nowMillis = nowMillis;
        this.events = new ArrayList<>(item.history());
        this.stored = events.size();
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
        HistoryEvent event =
                HistoryEvent.of(nextEventId(), instance, executionId, nowMillis, TurnRunner.DUROXIDE_VERSION, kind);
        HistoryEvent linked = sourceEventId == null ? event : event.withSourceEventId(sourceEventId);
        events.add(linked);
        return linked;
    }

    Optional<HistoryEvent> first(Predicate<HistoryEvent> condition) {
        return events.stream().filter(condition).findFirst();
    }

    /** The result of a scheduled step, or the event that called the step off. */
    Optional<HistoryEvent> closing(long scheduledEventId) {
        return first(event -> event.sourceEventId() != null && event.sourceEventId() == scheduledEventId);
    }

    Optional<HistoryEvent> byId(long eventId) {
        return first(event -> event.eventId() == eventId);
    }
}
