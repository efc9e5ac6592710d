package io.sluice.durabletask.conformance;

import io.sluice.durabletask.wire.Protocol.ExecutionStartedEvent;
import io.sluice.durabletask.wire.Protocol.HistoryEvent;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestratorRequest;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import java.util.List;
import java.util.stream.Stream;

/** What a turn, or a history, holds. */
final class Events {
    private Events() {}

    /** All events of a turn: what was, then what is new. */
    static List<HistoryEvent> all(OrchestratorRequest turn) {
        return Stream.concat(turn.getPastEventsList().stream(), turn.getNewEventsList().stream())
                .toList();
    }

    static ExecutionStartedEvent started(OrchestratorRequest turn) {
        return all(turn).stream()
                .filter(HistoryEvent::hasExecutionStarted)
                .findFirst()
                .map(HistoryEvent::getExecutionStarted)
                .orElseThrow();
    }

    static List<EventTypeCase> kinds(List<HistoryEvent> events) {
        return events.stream().map(HistoryEvent::getEventTypeCase).toList();
    }

    /** Kinds of the new events of a turn. */
    static List<EventTypeCase> newKinds(WorkItem turn) {
        return kinds(turn.getOrchestratorRequest().getNewEventsList());
    }

    static List<HistoryEvent> of(List<HistoryEvent> events, EventTypeCase kind) {
        return events.stream().filter(event -> event.getEventTypeCase() == kind).toList();
    }

    static HistoryEvent only(List<HistoryEvent> events, EventTypeCase kind) {
        List<HistoryEvent> found = of(events, kind);
        if (found.size() != 1) {
            throw new AssertionError("expected one " + kind + ", were " + events);
        }
        return found.get(0);
    }

    /** The only new event of a kind. */
    static HistoryEvent only(WorkItem turn, EventTypeCase kind) {
        return only(turn.getOrchestratorRequest().getNewEventsList(), kind);
    }
}
