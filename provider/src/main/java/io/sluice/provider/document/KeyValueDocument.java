package io.sluice.provider.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A key's value as finished executions left it. The id is kept as found, since other writers encode keys differently.
 */
public record KeyValueDocument(
        String id, String instanceId, String key, String value, long executionId, long lastUpdatedAtMillis) {
    /** Reads a stored value. */
    public static KeyValueDocument fromJson(JsonNode json) {
        return new KeyValueDocument(
                DocumentJson.id(json),
                DocumentJson.text(json, Fields.INSTANCE_ID),
                DocumentJson.text(json, "key"),
                DocumentJson.text(json, "value"),
                DocumentJson.numberOrZero(json, Fields.EXECUTION_ID),
                DocumentJson.numberOrZero(json, "lastUpdatedAtMs"));
    }

    /** The document to write. */
    public ObjectNode toJson() {
        return DocumentJson.document(id, instanceId, DocumentType.KEY_VALUE)
                .put("key", key)
                .put("value", value)
                .put(Fields.EXECUTION_ID, executionId)
                .put("lastUpdatedAtMs", lastUpdatedAtMillis);
    }
}
