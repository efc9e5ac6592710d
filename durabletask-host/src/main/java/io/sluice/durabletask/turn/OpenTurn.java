package io.sluice.durabletask.turn;

import io.sluice.durabletask.history.EventDecoder;
import io.sluice.durabletask.history.NewEvent;
import io.sluice.durabletask.history.ReplayedIds;
import io.sluice.durabletask.history.TurnIntake;
import io.sluice.durabletask.wire.Protocol;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A turn that a worker has.
 *
 * @param startedAt when the host opened it: the time that the orchestration sees
 */
public record OpenTurn(String instance, Instant startedAt, TurnIntake.Open intake) {
    public OpenTurn {
        Objects.requireNonNull(instance, "instance");
        Objects.requireNonNull(startedAt, "startedAt");
        Objects.requireNonNull(intake, "intake");
    }

    /** The new events as the worker gets them: the turn's start, then the events of the messages. */
    public List<Protocol.HistoryEvent> newEvents() {
        List<Protocol.HistoryEvent> events = new ArrayList<>();
        events.add(EventDecoder.turnStart(startedAt));
        intake.events().stream().map(NewEvent::event).forEach(events::add);
        return events;
    }

    /**
     * How the execution began.
     *
     * @throws io.sluice.durabletask.history.HistoryFormatException when this version cannot read it
     */
    public Protocol.ExecutionStartedEvent started() {
        Protocol.HistoryEvent first = intake.isFirstTurn()
                ? intake.events().get(0).event()
                : EventDecoder.decode(intake.history().get(0), ReplayedIds.of(List.of()))
                        .orElse(Protocol.HistoryEvent.getDefaultInstance());
        return first.getExecutionStarted();
    }
}
