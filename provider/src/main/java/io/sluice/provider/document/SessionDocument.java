package io.sluice.provider.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;

/** Which worker owns a session of an instance; times in milliseconds. */
public record SessionDocument(
        String id,
        String instanceId,
        String sessionId,
        String ownerId,
        long lockedUntil,
        long lastActivity,
        long createdAt,
        UnknownFields unknown) {
    private static final Set<String> KNOWN = Set.of(
            Fields.ID,
            Fields.INSTANCE_ID,
            Fields.TYPE,
            Fields.SESSION_ID,
            "ownerId",
            Fields.LOCKED_UNTIL,
            Fields.LAST_ACTIVITY,
            Fields.CREATED_AT);

    /** A session that nobody has had before. */
    public static SessionDocument fresh(
            String id, String instanceId, String sessionId, String owner, long untilMillis, long nowMillis) {
        return new SessionDocument(
                id, instanceId, sessionId, owner, untilMillis, nowMillis, nowMillis, UnknownFields.NONE);
    }

    /** Reads a stored session. */
    public static SessionDocument fromJson(JsonNode json) {
        return new SessionDocument(
                DocumentJson.id(json),
                DocumentJson.text(json, Fields.INSTANCE_ID),
                DocumentJson.text(json, Fields.SESSION_ID),
                DocumentJson.text(json, "ownerId"),
                DocumentJson.number(json, Fields.LOCKED_UNTIL),
                DocumentJson.number(json, Fields.LAST_ACTIVITY),
                DocumentJson.number(json, Fields.CREATED_AT),
                UnknownFields.of(json, KNOWN));
    }

    /** Whether another owner's lock is alive. */
    public boolean isHeldByOther(String owner, long nowMillis) {
        return lockedUntil > nowMillis && !ownerId.equals(owner);
    }

    /** The same, claimed by this owner. */
    public SessionDocument claimedBy(String owner, long untilMillis, long nowMillis) {
        return new SessionDocument(id, instanceId, sessionId, owner, untilMillis, nowMillis, createdAt, unknown);
    }

    /** The document to write. */
    public ObjectNode toJson() {
        ObjectNode json = DocumentJson.document(id, instanceId, DocumentType.SESSION)
                .put(Fields.SESSION_ID, sessionId)
                .put("ownerId", ownerId)
                .put(Fields.LOCKED_UNTIL, lockedUntil)
                .put(Fields.LAST_ACTIVITY, lastActivity)
                .put(Fields.CREATED_AT, createdAt);
        return unknown.writeTo(json);
    }
}
