package io.sluice.provider.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.TraceContext;
import org.jspecify.annotations.Nullable;

/** One event; {@code eventData} is its JSON as text, never touched again. */
public record HistoryDocument(String instanceId, long executionId, long eventId, String eventData) {
    /** Reads a stored event. */
    public static HistoryDocument fromJson(JsonNode json) {
        return new HistoryDocument(
                DocumentJson.text(json, Fields.INSTANCE_ID),
                DocumentJson.number(json, Fields.EXECUTION_ID),
                DocumentJson.number(json, Fields.EVENT_ID),
                DocumentJson.text(json, Fields.EVENT_DATA));
    }

    /** Id of this document. */
    public String id() {
        return DocumentIds.history(instanceId, executionId, eventId);
    }

    /** The document to write. */
    public ObjectNode toJson() {
        return DocumentJson.document(id(), instanceId, DocumentType.HISTORY)
                .put(Fields.EXECUTION_ID, executionId)
                .put(Fields.EVENT_ID, eventId)
                .put(Fields.EVENT_DATA, eventData);
    }

    /** The document to write, within a trace: two fields of our own next to the event, which no process rewrites. */
    public ObjectNode toJson(@Nullable TraceContext trace) {
        ObjectNode json = toJson();
        TraceFields.put(json, trace);
        return json;
    }
}
