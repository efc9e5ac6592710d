package io.sluice.provider.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Says that somebody has put parts of a turn in place, and how many. Every part is written in one batch with the next
 * version of this document, so a part that arrives late, after the try was given up and removed, arrives to no effect.
 *
 * @param tryId of one call of ack
 * @param token of the lock the turn is held by
 * @param parts numbered from 1, in place so far
 */
public record StagedTry(String instanceId, String tryId, String token, int parts) {
    static final String KIND = "kind";
    static final String TOKEN = "token";
    static final String TRY = "try";
    static final String PARTS = "parts";
    static final int SCHEMA_VERSION = 1;

    private static final String THIS_KIND = "try";

    /** Whether the document is one. */
    public static boolean is(JsonNode json) {
        return DocumentJson.isType(json, DocumentType.STAGED)
                && THIS_KIND.equals(json.path(KIND).asText());
    }

    /** Reads a stored try. */
    public static StagedTry fromJson(JsonNode json) {
        SchemaVersion.check(json);
        return new StagedTry(
                DocumentJson.text(json, Fields.INSTANCE_ID),
                DocumentJson.text(json, TRY),
                DocumentJson.text(json, TOKEN),
                (int) DocumentJson.number(json, PARTS));
    }

    /** Id of this document. */
    public String id() {
        return DocumentIds.stagedPart(tryId, 0);
    }

    /** Id of a part. */
    public String partId(int number) {
        return DocumentIds.stagedPart(tryId, number);
    }

    /** The document to write. */
    public ObjectNode toJson() {
        return staged(id(), instanceId, THIS_KIND)
                .put(TRY, tryId)
                .put(TOKEN, token)
                .put(PARTS, parts);
    }

    static ObjectNode staged(String id, String instanceId, String kind) {
        return DocumentJson.document(id, instanceId, DocumentType.STAGED)
                .put(SchemaVersion.FIELD, SCHEMA_VERSION)
                .put(KIND, kind);
    }
}
