package io.sluice.durabletask.history;

import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.history.EventKind;
import java.util.ArrayList;
import java.util.List;

/** Events of DurableTask as events of a provider. Nothing of an event is lost, fields that are not known included. */
public final class EventEncoder {
    /** SDKs read a hundred levels of a message; around an event there are some in a work item. */
    private static final int MOST_NESTED = 90;

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
     * @throws NestedTooDeepException when no SDK could read it
     */
    public static EncodedEvent encode(Protocol.HistoryEvent event) {
        EventTable.Row row = EventTable.of(event)
                .orElseThrow(() ->
                        new IllegalArgumentException("an event that is not stored, was " + event.getEventTypeCase()));
        Protocol.HistoryEvent.Builder rest = event.toBuilder().clearEventId();
        List<String> absent = new ArrayList<>();
        List<String> strings = row.slots().takeFrom(row.body(rest), absent);
        EventKind kind = row.toKind().apply(event, strings);
        Protocol.HistoryEvent built = rest.build();
        if (!Wire.isNestedWithin(MOST_NESTED, built)) {
            throw new NestedTooDeepException(row.field().getName(), MOST_NESTED);
        }
        return new EncodedEvent(kind, DtFields.of(event.getEventId(), absent, built.toByteString()));
    }
}
