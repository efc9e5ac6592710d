package io.sluice.provider.contract.replay;

import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The history of one execution while a turn runs: what is stored, followed by what this turn adds. */
final class EventLog {
    /** The version this runtime stamps on its events. */
    static final String STAMP = "0.1.32";

    private final String instance;
    private final long execution;
    private final InstantSource clock;
    private final List<HistoryEvent> events;
    private final int stored;

    EventLog(String instance, long execution, List<HistoryEvent> stored, InstantSource clock) {
        this.instance = instance;
        this.execution = execution;
        this.clock = clock;
        this.events = new ArrayList<>(stored);
        this.stored = stored.size();
    }

    String instance() {
        return instance;
    }

    long execution() {
        return execution;
    }

    long nowMillis() {
        return clock.millis();
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

    HistoryEvent append(@Nullable Long source, EventKind kind) {
        long id = events.isEmpty() ? 1 : events.get(events.size() - 1).eventId() + 1;
        HistoryEvent event = HistoryEvent.of(id, instance, execution, clock.millis(), STAMP, kind);
        events.add(source == null ? event : event.withSourceEventId(source));
        return events.get(events.size() - 1);
    }

    Optional<HistoryEvent> first(Predicate<HistoryEvent> condition) {
        return events.stream().filter(condition).findFirst();
    }

    /** The result of a step, or the event that called it off. */
    Optional<HistoryEvent> closing(long scheduledId) {
        return first(event -> event.sourceEventId() != null && event.sourceEventId() == scheduledId);
    }

    boolean has(Class<? extends EventKind> kind) {
        return first(event -> kind.isInstance(event.kind())).isPresent();
    }

    boolean isEnded() {
        return has(EventKind.OrchestrationCompleted.class) || has(EventKind.OrchestrationFailed.class);
    }

    EventKind.OrchestrationStarted started() {
        if (!events.isEmpty() && events.get(0).kind() instanceof EventKind.OrchestrationStarted started) {
            return started;
        }
        throw new IllegalStateException("the history of " + instance + " does not begin with its start");
    }
}
