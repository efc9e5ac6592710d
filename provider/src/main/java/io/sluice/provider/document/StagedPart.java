package io.sluice.provider.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The operations of one later batch of a staged turn.
 *
 * @param number from 1
 * @param operations each an object with the one field {@code create}, {@code upsert} (a document) or {@code delete} (an
 *     id)
 */
public record StagedPart(String instanceId, String tryId, int number, ArrayNode operations) {
    private static final String OPERATIONS = "operations";
    private static final String NUMBER = "number";

    /** Reads a stored part. */
    public static StagedPart fromJson(JsonNode json) {
        if (!(json.get(OPERATIONS) instanceof ArrayNode operations)) {
            throw new MalformedDocumentException(
                    "document '" + DocumentJson.id(json) + "' lacks the array '" + OPERATIONS + "'");
        }
        return new StagedPart(
                DocumentJson.text(json, Fields.INSTANCE_ID),
                DocumentJson.text(json, StagedTry.TRY),
                (int) DocumentJson.number(json, NUMBER),
                operations);
    }

    /** Id of this document. */
    public String id() {
        return DocumentIds.stagedPart(tryId, number);
    }

    /** The document to write. */
    public ObjectNode toJson() {
        ObjectNode json = StagedTry.staged(id(), instanceId, "part")
                .put(StagedTry.TRY, tryId)
                .put(NUMBER, number);
        json.set(OPERATIONS, operations);
        return json;
    }
}
