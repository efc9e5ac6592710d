package io.sluice.durabletask.turn;

import io.sluice.durabletask.history.EncodedEvent;
import io.sluice.durabletask.history.EventEncoder;
import io.sluice.durabletask.history.EventPlace;
import io.sluice.durabletask.history.NewEvent;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Collects what a turn commits, numbers its events, and refuses what the store can't hold. One turn's; not
 * thread-safe.
 */
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

    /** Appends an event that a message has brought; one that has no room came from elsewhere than a host. */
    void addNew(NewEvent event) {
        append(event.encoded(), place(event.sourceEventId(), turn.startedAt()));
    }

    /** Appends what the worker has decided. */
    void add(EncodedEvent event) {
        append(event, place(null, now));
    }

    /** Appends the record of an action, and returns its id; refuses it when the store can't hold it. */
    long add(OrchestratorAction action, Protocol.HistoryEvent record) {
        HistoryEvent event = append(EventEncoder.encode(record), next());
        if (!TurnLimits.isSurelySmall(record)) {
            refuse(action, TurnLimits.eventFault(event));
        }
        return event.eventId();
    }

    /** Where the next record of an action will stand. */
    EventPlace next() {
        return place(null, now);
    }

    /** The record of an action as it would be appended next. */
    HistoryEvent preview(Protocol.HistoryEvent record) {
        return EventEncoder.encode(record).at(next());
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
        refuse(action, fault(message));
        messages.add(message);
    }

    /** Sends what no action is to blame for; refuses it when the store can't hold it. */
    void send(WorkItem message) {
        fault(message).ifPresent(fault -> {
            throw RefusedResponseException.tooLarge(
                    "a message " + message.variant() + " to instance '" + message.routedInstance() + "': " + fault);
        });
        messages.add(message);
    }

    /** Sends what was found to have room. */
    void sendFitting(WorkItem message) {
        messages.add(message);
    }

    /** Why the store can't hold a message; empty when it can. */
    Optional<String> fault(WorkItem message) {
        return message.routedInstance().equals(turn.instance())
                ? TurnLimits.messageFault(message)
                : TurnLimits.sentMessageFault(message);
    }

    private static void refuse(OrchestratorAction action, Optional<String> fault) {
        fault.ifPresent(text -> {
            throw RefusedResponseException.tooLarge(TurnLimits.named(action, text));
        });
    }

    /** The event that is committed along with the instance; null while there is none. */
    @Nullable
    HistoryEvent firstEvent() {
        return events.isEmpty() ? null : events.get(0);
    }

    /** A DurableTask event of this turn, to be completed. */
    Protocol.HistoryEvent.Builder event(int id) {
        return Protocol.HistoryEvent.newBuilder().setEventId(id).setTimestamp(Wire.timestamp(now));
    }

    /** The same that no action has caused. */
    Protocol.HistoryEvent.Builder outsideEvent() {
        return Wire.outsideEvent(now);
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
