package io.sluice.durabletask.history;

import io.sluice.durabletask.wire.Protocol;
import io.sluice.provider.history.EventKind;
import java.util.ArrayList;
import java.util.List;

/** Events of DurableTask as events of a provider. Nothing of an event is lost, fields that are not known included. */
public final class EventEncoder {
    private EventEncoder() {}

    /**
     * Whether an event is stored at all: the start and end of a turn are derived, and two kinds have no use in any SDK.
     */
    public static boolean isStored(Protocol.HistoryEvent event) {
        return EventTable.of(event).isPresent();
    }

    /**
     * The event as it is stored.
     *
     * @throws IllegalArgumentException when it is of a kind that {@linkplain #isStored is not stored}
     */
    public static EncodedEvent encode(Protocol.HistoryEvent event) {
        EventTable.Row row = EventTable.of(event)
                .orElseThrow(() ->
                        new IllegalArgumentException("an event that is not stored, was " + event.getEventTypeCase()));
        Protocol.HistoryEvent.Builder rest = event.toBuilder().clearEventId();
        List<String> absent = new ArrayList<>();
        List<String> strings = row.slots().takeFrom(row.body(rest), absent);
        EventKind kind = row.toKind().apply(event, strings);
        return new EncodedEvent(
                kind, DtFields.of(event.getEventId(), absent, rest.build().toByteString()));
    }
}
