package io.sluice.provider.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;

/**
 * A key's value as finished executions left it. The id is kept as found, since other writers encode keys differently.
 */
public record KeyValueDocument(
        String id,
        String instanceId,
        String key,
        String value,
        long executionId,
        long lastUpdatedAtMillis,
        UnknownFields unknown) {
    private static final Set<String> KNOWN =
            Set.of(Fields.ID, Fields.INSTANCE_ID, Fields.TYPE, "key", "value", Fields.EXECUTION_ID, "lastUpdatedAtMs");

    /** Reads a stored value. */
    public static KeyValueDocument fromJson(JsonNode json) {
        return new KeyValueDocument(
                DocumentJson.id(json),
                DocumentJson.text(json, Fields.INSTANCE_ID),
                DocumentJson.text(json, "key"),
                DocumentJson.text(json, "value"),
                DocumentJson.numberOrZero(json, Fields.EXECUTION_ID),
                DocumentJson.numberOrZero(json, "lastUpdatedAtMs"),
                UnknownFields.of(json, KNOWN));
    }

    /** The document to write. */
    public ObjectNode toJson() {
        ObjectNode json = DocumentJson.document(id, instanceId, DocumentType.KEY_VALUE)
                .put("key", key)
                .put("value", value)
                .put(Fields.EXECUTION_ID, executionId)
                .put("lastUpdatedAtMs", lastUpdatedAtMillis);
        return unknown.writeTo(json);
    }
}
