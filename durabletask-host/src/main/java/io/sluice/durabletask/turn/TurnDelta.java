package io.sluice.durabletask.turn;

import io.sluice.durabletask.history.EncodedEvent;
import io.sluice.durabletask.history.EventEncoder;
import io.sluice.durabletask.history.EventPlace;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects what a turn commits, and numbers its events. One turn's; not thread-safe. */
final class TurnDelta {
    private final OpenTurn turn;
    private final Instant now;
    private final List<HistoryEvent> events = new ArrayList<>();
    private final List<WorkItem> activities = new ArrayList<>();
    private final List<WorkItem> messages = new ArrayList<>();
    private long nextEventId;

    /**
     * For one turn.
     *
     * @param now the time of what its actions record
     */
    TurnDelta(OpenTurn turn, long nextEventId, Instant now) {
        this.turn = turn;
        this.nextEventId = nextEventId;
        this.now = now;
    }

    /** Appends an event that a message has brought. */
    void addNew(EncodedEvent event, @Nullable Long sourceEventId) {
        append(event, place(sourceEventId, turn.startedAt()));
    }

    /** Appends what the worker has decided. */
    void add(EncodedEvent event) {
        append(event, place(null, now));
    }

    /** Appends the record of an action, and says where it stands; refuses it when the store can't hold it. */
    EventPlace add(OrchestratorAction action, Protocol.HistoryEvent record) {
        EventPlace place = place(null, now);
        HistoryEvent event = append(EventEncoder.encode(record), place);
        TurnLimits.checkEvent(event, action);
        return place;
    }

    private HistoryEvent append(EncodedEvent event, EventPlace place) {
        HistoryEvent stored = (events.isEmpty() ? event.startingTurn(turn.startedAt()) : event).at(place);
        events.add(stored);
        nextEventId++;
        return stored;
    }

    private EventPlace place(@Nullable Long sourceEventId, Instant time) {
        return new EventPlace(
                turn.instance(), turn.intake().executionId(), nextEventId, sourceEventId, time.toEpochMilli());
    }

    /** Appends an event that DurableTask has none for. */
    void add(EventKind kind) {
        append(EncodedEvent.foreign(kind), place(null, now));
    }

    void schedule(WorkItem activity) {
        activities.add(activity);
    }

    /** Sends what an action asks for; refuses it when the store can't hold it. */
    void send(OrchestratorAction action, WorkItem message) {
        TurnLimits.checkMessage(message, action);
        send(message);
    }

    void send(WorkItem message) {
        messages.add(message);
    }

    /** A DurableTask event of this turn, to be completed. */
    Protocol.HistoryEvent.Builder event(int id) {
        return Protocol.HistoryEvent.newBuilder().setEventId(id).setTimestamp(Wire.timestamp(now));
    }

    Instant now() {
        return now;
    }

    List<HistoryEvent> events() {
        return List.copyOf(events);
    }

    List<WorkItem> activities() {
        return List.copyOf(activities);
    }

    List<WorkItem> messages() {
        return List.copyOf(messages);
    }
}
