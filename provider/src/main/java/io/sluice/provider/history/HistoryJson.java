package io.sluice.provider.history;

import io.sluice.provider.json.JsonFault;
import io.sluice.provider.json.JsonFields;
import io.sluice.provider.json.JsonValue;
import io.sluice.provider.json.RecordFields;

/**
 * History events as JSON: one flat object, common fields first, then {@code type}, then the fields of the kind. The
 * text is the one the Rust runtime writes, byte for byte. Thread-safe.
 */
public final class HistoryJson {
    static final RecordFields<HistoryEvent> EVENT = new RecordFields<>(HistoryEvent.class);

    private HistoryJson() {}

    /**
     * The text of an event.
     *
     * @throws IllegalArgumentException when a string holds half a surrogate pair
     */
    public static String encode(HistoryEvent event) {
        return EVENT.text(event);
    }

    /**
     * The event that a text holds. Unknown fields are kept as {@link HistoryEvent#extras()}; fields may come in any
     * order.
     *
     * @throws DecodingException when it is not an event that this version knows: what is lost here must not look like a
     *     shorter history
     */
    public static HistoryEvent decode(String json) {
        try {
            return EVENT.readFields(JsonFields.of(JsonValue.parse(json, "history event")));
        } catch (JsonFault fault) {
            throw new DecodingException(fault);
        }
    }
}
