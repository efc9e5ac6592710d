package io.sluice.durabletask.history;

import com.google.protobuf.ByteString;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.work.WorkItem;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Messages as the events of DurableTask that they bring. */
final class MessageDecoder {
    private final ReplayedIds ids;
    private final Instant turnStart;

    /** For the messages of one turn, and the ids of the execution that they arrive at. */
    MessageDecoder(ReplayedIds ids, Instant turnStart) {
        this.ids = ids;
        this.turnStart = turnStart;
    }

    /**
     * The event that a message brings; empty for one that no instance of a host takes. A message without a time, such
     * as a timer's, gets the time of the turn.
     *
     * @throws HistoryFormatException naming the message, when this version cannot read it
     */
    Optional<Protocol.HistoryEvent> event(WorkItem message) {
        EventKind kind = kindOf(message);
        if (kind == null) {
            return Optional.empty();
        }
        try {
            Optional<DtFields> fields = DtFields.in(message.extras());
            return fields.isPresent()
                    ? Optional.of(timed(EventDecoder.decode(kind, fields.get())))
                    : PlainEvents.of(kind, actionId(message), turnStart);
        } catch (HistoryFormatException e) {
            throw new HistoryFormatException(
                    "instance '" + message.routedInstance() + "', message " + message.variant() + ": " + e.getMessage(),
                    e);
        }
    }

    /** The id of the action whose outcome the message brings; -1 where it brings none. */
    private int actionId(WorkItem message) {
        @Nullable TaskOutcome outcome = TaskOutcome.of(message);
        return ids.actionId(outcome == null ? null : outcome.scheduledId());
    }

    /** The events that a start brings along, such as those that the execution before has handed over. */
    List<Protocol.HistoryEvent> carryover(WorkItem message) {
        List<ByteString> events =
                DtFields.in(message.extras()).map(DtFields::carryover).orElse(List.of());
        return events.stream()
                .map(event -> timed(EventDecoder.parse(event, "dt.c")))
                .toList();
    }

    private Protocol.HistoryEvent timed(Protocol.HistoryEvent event) {
        return event.hasTimestamp()
                ? event
                : event.toBuilder().setTimestamp(Wire.timestamp(turnStart)).build();
    }

    private static @Nullable EventKind kindOf(WorkItem message) {
        if (message instanceof WorkItem.StartOrchestration start) {
            return started(start.orchestration(), start.version(), start.input());
        }
        if (message instanceof WorkItem.ContinueAsNew next) {
            return started(next.orchestration(), next.version(), next.input());
        }
        if (message instanceof WorkItem.ExternalRaised raised) {
            return new EventKind.ExternalEvent(raised.name(), raised.data());
        }
        if (message instanceof WorkItem.CancelInstance cancel) {
            return new EventKind.OrchestrationCancelRequested(cancel.reason());
        }
        @Nullable TaskOutcome outcome = TaskOutcome.of(message);
        return outcome == null ? null : outcome.kind();
    }

    private static EventKind started(String name, @Nullable String version, String input) {
        return new EventKind.OrchestrationStarted(
                name, Objects.requireNonNullElse(version, ""), input, null, null, null, null, null);
    }
}
