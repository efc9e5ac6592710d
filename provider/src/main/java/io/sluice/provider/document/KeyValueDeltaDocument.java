package io.sluice.provider.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the running execution did to a key; a null value is a tombstone. */
public record KeyValueDeltaDocument(
        String id,
        String instanceId,
        String key,
        @Nullable String value,
        long executionId,
        long lastUpdatedAtMillis,
        UnknownFields unknown) {
    private static final Set<String> KNOWN =
            Set.of(Fields.ID, Fields.INSTANCE_ID, Fields.TYPE, "key", "value", Fields.EXECUTION_ID, "lastUpdatedAtMs");

    /** Reads a stored change. */
    public static KeyValueDeltaDocument fromJson(JsonNode json) {
        return new KeyValueDeltaDocument(
                DocumentJson.id(json),
                DocumentJson.text(json, Fields.INSTANCE_ID),
                DocumentJson.text(json, "key"),
                DocumentJson.textOrNull(json, "value"),
                DocumentJson.numberOrZero(json, Fields.EXECUTION_ID),
                DocumentJson.numberOrZero(json, "lastUpdatedAtMs"),
                UnknownFields.of(json, KNOWN));
    }

    /** The document to write. */
    public ObjectNode toJson() {
        ObjectNode json = DocumentJson.document(id, instanceId, DocumentType.KEY_VALUE_DELTA)
                .put("key", key)
                .put("value", value)
                .put(Fields.EXECUTION_ID, executionId)
                .put("lastUpdatedAtMs", lastUpdatedAtMillis);
        return unknown.writeTo(json);
    }
}
