package io.sluice.provider.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Says that a turn is committed whose parts are still to be applied, and how far that is. While it exists the instance
 * is locked by the same token, {@linkplain InstanceDocument#LOCKED_FAR far into the future}, and a process that finds
 * it applies the rest.
 *
 * @param token of the lock the turn was held by
 * @param tryId of the call of ack that was committed
 * @param parts there are
 * @param next part to apply, from 1; above {@code parts} when all are
 * @param wakeUp id of the message that keeps the instance in sight of candidate queries
 * @param updatedAt of the instance as committed
 */
public record StagedCommit(
        String instanceId, String token, String tryId, int parts, int next, String wakeUp, long updatedAt) {
    private static final String THIS_KIND = "commit";
    private static final String NEXT = "next";
    private static final String WAKE_UP = "wakeUp";

    /** Whether the document is one. */
    public static boolean is(JsonNode json) {
        return DocumentJson.isType(json, DocumentType.STAGED)
                && THIS_KIND.equals(json.path(StagedTry.KIND).asText());
    }

    /** Reads a stored commit. */
    public static StagedCommit fromJson(JsonNode json) {
        SchemaVersion.check(json);
        return new StagedCommit(
                DocumentJson.text(json, Fields.INSTANCE_ID),
                DocumentJson.text(json, StagedTry.TOKEN),
                DocumentJson.text(json, StagedTry.TRY),
                (int) DocumentJson.number(json, StagedTry.PARTS),
                (int) DocumentJson.number(json, NEXT),
                DocumentJson.text(json, WAKE_UP),
                DocumentJson.number(json, Fields.UPDATED_AT));
    }

    /** Id of this document. */
    public String id() {
        return DocumentIds.stagedCommit(token);
    }

    /** Whether every part has been applied. */
    public boolean isApplied() {
        return next > parts;
    }

    /** The same, one part further. */
    public StagedCommit advanced() {
        return new StagedCommit(instanceId, token, tryId, parts, next + 1, wakeUp, updatedAt);
    }

    /** The document to write. */
    public ObjectNode toJson() {
        return StagedTry.staged(id(), instanceId, THIS_KIND)
                .put(StagedTry.TOKEN, token)
                .put(StagedTry.TRY, tryId)
                .put(StagedTry.PARTS, parts)
                .put(NEXT, next)
                .put(WAKE_UP, wakeUp)
                .put(Fields.UPDATED_AT, updatedAt);
    }
}
