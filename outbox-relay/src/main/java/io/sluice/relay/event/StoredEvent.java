package io.sluice.relay.event;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.history.DecodingException;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import org.jspecify.annotations.Nullable;

/**
 * What of a history document goes into its record; of a faulty document as well.
 *
 * <p>Whose an event is, its partition says: where another writer stored one that names another instance, the record
 * names the partition's, also in its value, or a consumer that goes by the value would take it for the other's.
 *
 * @param id its instance is the document's partition key
 * @param type of the event; {@link #UNKNOWN} when it can't be decoded
 * @param json the record's value
 * @param named the instance that the event itself names, when it is another one than its partition's; else null
 * @param defect why it can't be decoded; null if it can
 */
public record StoredEvent(
        EventId id,
        String type,
        String json,
        @Nullable String named,
        @Nullable String defect) {
    /** The type of an event that this version can't decode. */
    public static final String UNKNOWN = "unknown";

    /** Whether the document is a history event. */
    public static boolean isOne(JsonNode document) {
        return document.path("type").asText().equals("history");
    }

    /** The event in a history document. */
    public static StoredEvent of(JsonNode document) {
        var stored = document.path("eventData");
        if (!stored.isTextual()) {
            return unknown(document, document.toString(), "eventData is no text");
        }
        var json = stored.textValue();
        try {
            return decoded(HistoryJson.decode(json), document.path("instanceId").asText(), json);
        } catch (DecodingException | IllegalArgumentException e) {
            return unknown(document, json, String.valueOf(e.getMessage()));
        }
    }

    private static StoredEvent decoded(HistoryEvent event, String instance, String json) {
        var id = new EventId(instance, event.executionId(), event.eventId(), event.timestampMillis());
        return event.instanceId().equals(instance)
                ? new StoredEvent(id, event.type(), json, null, null)
                : new StoredEvent(
                        id, event.type(), HistoryJson.encode(event.ofInstance(instance)), event.instanceId(), null);
    }

    private static StoredEvent unknown(JsonNode document, String json, String defect) {
        var id = new EventId(
                document.path("instanceId").asText(),
                document.path("executionId").asLong(),
                document.path("eventId").asLong(),
                document.path("_ts").asLong() * 1_000);
        return new StoredEvent(id, UNKNOWN, json, null, defect);
    }
}
