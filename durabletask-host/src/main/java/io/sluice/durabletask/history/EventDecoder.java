package io.sluice.durabletask.history;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Events of a provider as events of DurableTask. */
public final class EventDecoder {
    private EventDecoder() {}

    /**
     * A stored history as workers and clients get it: before the events of each turn its start. Its end is not told:
     * histories of the managed scheduler and of the Go sidecar lack it, SDKs ignore it, and some users' tests count
     * events.
     *
     * @throws HistoryFormatException naming the event, when this version cannot read it
     */
    public static List<Protocol.HistoryEvent> pastEvents(List<HistoryEvent> history) {
        ReplayedIds ids = ReplayedIds.of(history);
        List<Protocol.HistoryEvent> events = new ArrayList<>();
        for (HistoryEvent stored : history) {
            Optional<DtFields> fields = fieldsOf(stored);
            Instant turnStart = fields.map(DtFields::turnStart).orElse(null);
            if (turnStart != null) {
                events.add(turnStart(turnStart));
            }
            decode(stored, fields.orElse(null), ids).ifPresent(events::add);
        }
        return events;
    }

    /**
     * How the execution begins that a message starts.
     *
     * @throws HistoryFormatException when this version cannot read the message
     */
    public static Optional<Protocol.ExecutionStartedEvent> started(WorkItem.StartOrchestration message) {
        return new MessageDecoder(ReplayedIds.of(List.of()), Instant.EPOCH)
                .event(message)
                .filter(Protocol.HistoryEvent::hasExecutionStarted)
                .map(Protocol.HistoryEvent::getExecutionStarted);
    }

    /** The event that begins a turn. */
    public static Protocol.HistoryEvent turnStart(Instant time) {
        return Wire.outsideEvent(time)
                .setOrchestratorStarted(Protocol.OrchestratorStartedEvent.getDefaultInstance())
                .build();
    }

    /**
     * One stored event; empty for what DurableTask has no event for, such as a custom status.
     *
     * @param ids of its history
     * @throws HistoryFormatException naming the event, when this version cannot read it
     */
    public static Optional<Protocol.HistoryEvent> decode(HistoryEvent stored, ReplayedIds ids) {
        return decode(stored, fieldsOf(stored).orElse(null), ids);
    }

    private static Optional<Protocol.HistoryEvent> decode(
            HistoryEvent stored, @Nullable DtFields fields, ReplayedIds ids) {
        if (fields == null) {
            Instant time = Instant.ofEpochMilli(stored.timestampMillis());
            return PlainEvents.of(stored.kind(), ids.actionId(stored.sourceEventId()), time);
        }
        if (fields.rest().isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(decode(stored.kind(), fields));
        } catch (HistoryFormatException e) {
            throw named(stored, e);
        }
    }

    /** The event that kind and fields were made of. */
    static Protocol.HistoryEvent decode(EventKind kind, DtFields fields) {
        Protocol.HistoryEvent.Builder event =
                parse(fields.rest(), "dt.p").toBuilder().setEventId(fields.id());
        EventTable.Row row = EventTable.of(event)
                .orElseThrow(() -> new HistoryFormatException(
                        "dt.p: expected an event that is stored, found " + event.getEventTypeCase()));
        List<String> strings = row.toStrings().apply(kind);
        row.slots().putInto(row.body(event), strings, fields.absent());
        return event.build();
    }

    /** A whole event. */
    static Protocol.HistoryEvent parse(ByteString bytes, String path) {
        try {
            return Protocol.HistoryEvent.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new HistoryFormatException(path + ": expected an event as protobuf", e);
        }
    }

    /** What a stored event has in addition to the provider's fields. */
    static Optional<DtFields> fieldsOf(HistoryEvent stored) {
        try {
            return DtFields.in(stored.extras());
        } catch (HistoryFormatException e) {
            throw named(stored, e);
        }
    }

    private static HistoryFormatException named(HistoryEvent stored, HistoryFormatException cause) {
        return new HistoryFormatException(
                "instance '" + stored.instanceId() + "', execution " + stored.executionId() + ", event "
                        + stored.eventId() + " (" + stored.type() + "): " + cause.getMessage(),
                cause);
    }
}
