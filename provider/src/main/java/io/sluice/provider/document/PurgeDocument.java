package io.sluice.provider.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Stands between an instance's history and its removal. Waiting, it asks the relay whether everything before it in the
 * feed is published; the relay answers by removing it. Deleted, it says that the instance is gone, and where in the
 * feed that was.
 *
 * @param deleted whether it reports a deletion, rather than waits for an answer
 */
public record PurgeDocument(String instanceId, String id, boolean deleted, long createdAt) {
    /** As long as receipts: a relay that is further behind starts from the beginning in any case. */
    public static final int TTL_SECONDS = ReceiptDocument.TTL_SECONDS;

    private static final int SCHEMA_VERSION = 1;

    /** Reads a stored purge document. */
    public static PurgeDocument fromJson(JsonNode json) {
        return new PurgeDocument(
                DocumentJson.text(json, Fields.INSTANCE_ID),
                DocumentJson.id(json),
                json.path("deleted").asBoolean(),
                DocumentJson.numberOrZero(json, Fields.CREATED_AT));
    }

    /** The document to write. */
    public ObjectNode toJson() {
        return DocumentJson.document(id, instanceId, DocumentType.PURGE)
                .put(SchemaVersion.FIELD, SCHEMA_VERSION)
                .put("deleted", deleted)
                .put(Fields.CREATED_AT, createdAt)
                .put("ttl", TTL_SECONDS);
    }
}
