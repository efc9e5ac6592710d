package io.sluice.provider.history;

import io.sluice.provider.json.JsonFault;
import io.sluice.provider.json.JsonFields;
import io.sluice.provider.json.JsonOutput;
import io.sluice.provider.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * History events as JSON: one flat object, common fields first, then {@code type}, then the fields of the kind. The
 * text is the one the Rust runtime writes, byte for byte. Thread-safe.
 */
public final class HistoryJson {
    private static final String WHAT = "history event";

    private HistoryJson() {}

    /**
     * The text of an event.
     *
     * @throws IllegalArgumentException when a string holds half a surrogate pair
     */
    public static String encode(HistoryEvent event) {
        return JsonOutput.text(text -> text.object(out -> {
            out.u64("event_id", event.eventId());
            out.u64OrNull("source_event_id", event.sourceEventId());
            out.string("instance_id", event.instanceId());
            out.u64("execution_id", event.executionId());
            out.u64("timestamp_ms", event.timestampMillis());
            out.string("duroxide_version", event.duroxideVersion());
            out.string("type", event.type());
            EventKinds.TABLE.write(out, event.kind());
            event.extras().writeTo(out);
        }));
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
            return read(JsonValue.parse(json, WHAT));
        } catch (JsonFault fault) {
            throw new DecodingException(fault);
        }
    }

    private static HistoryEvent read(JsonValue value) {
        JsonFields fields = JsonFields.of(value);
        JsonValue type = fields.value("type");
        long eventId = fields.u64("event_id");
        @Nullable Long sourceEventId = fields.nullableU64("source_event_id");
        String instanceId = fields.string("instance_id");
        long executionId = fields.u64("execution_id");
        long timestampMillis = fields.u64("timestamp_ms");
        String duroxideVersion = fields.string("duroxide_version");
        EventKind kind = EventKinds.TABLE.read(type.asString(), fields);
        if (kind == null) {
            throw type.fault("expected a known event type, found " + JsonFault.printable(type.asString()));
        }
        return new HistoryEvent(
                eventId,
                sourceEventId,
                instanceId,
                executionId,
                timestampMillis,
                duroxideVersion,
                kind,
                ExtraFields.of(fields.rest()));
    }
}
