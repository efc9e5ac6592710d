package io.sluice.provider.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Proof in the target partition that a delivery was decided: delivered, or refused permanently. It outlives the
 * delivered document, so that a late repetition creates nothing; only its time to live removes it.
 *
 * @param enqueuedAt when the delivered document was queued; null for a refusal
 * @param reason why it was refused; null for a delivery
 * @param retry of the intent that it decides: 0 for the first life, more for each time it was taken up again by hand
 * @param dispatch metadata of the dispatch that it decides, by their canonical names; empty for commands
 * @param content hash of the command, or of what a caller enqueued under an id of its own, that it decides, so that
 *     another of the same id is told from a repetition; null for intents, and in receipts of earlier versions
 */
public record ReceiptDocument(
        String id,
        String instanceId,
        String outcome,
        long createdAt,
        @Nullable Long enqueuedAt,
        @Nullable String reason,
        int retry,
        Map<String, String> dispatch,
        @Nullable String content) {
    public static final String DELIVERED = "delivered";
    public static final String REFUSED = "refused";
    /** Seven days: longer than anything may still be on its way. */
    public static final int TTL_SECONDS = 7 * 24 * 60 * 60;

    /** Field of {@link #content}. */
    public static final String CONTENT = "content";

    private static final String DISPATCH = "dispatch";
    private static final int SCHEMA_VERSION = 1;

    public ReceiptDocument {
        dispatch = Map.copyOf(dispatch);
    }

    /** A receipt for a delivery. */
    public static ReceiptDocument delivered(String id, String instanceId, long nowMillis, @Nullable Long enqueuedAt) {
        return new ReceiptDocument(id, instanceId, DELIVERED, nowMillis, enqueuedAt, null, 0, Map.of(), null);
    }

    /** A receipt that forbids the delivery. */
    public static ReceiptDocument refused(String id, String instanceId, long nowMillis, String reason) {
        return new ReceiptDocument(id, instanceId, REFUSED, nowMillis, null, reason, 0, Map.of(), null);
    }

    /** Reads a stored receipt. */
    public static ReceiptDocument fromJson(JsonNode json) {
        SchemaVersion.check(json);
        return new ReceiptDocument(
                DocumentJson.id(json),
                DocumentJson.text(json, Fields.INSTANCE_ID),
                DocumentJson.text(json, "outcome"),
                DocumentJson.numberOrZero(json, Fields.CREATED_AT),
                DocumentJson.numberOrNull(json, Fields.ENQUEUED_AT),
                DocumentJson.textOrNull(json, "reason"),
                (int) DocumentJson.numberOrZero(json, "retry"),
                texts(json.path(DISPATCH)),
                DocumentJson.textOrNull(json, CONTENT));
    }

    private static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new HashMap<>();
        object.properties()
                .forEach(field -> texts.put(field.getKey(), field.getValue().asText()));
        return texts;
    }

    /** The same, for an intent: which of its lives, and the metadata of this dispatch. */
    public ReceiptDocument ofIntent(int newRetry, Map<String, String> metadata) {
        return new ReceiptDocument(id, instanceId, outcome, createdAt, enqueuedAt, reason, newRetry, metadata, content);
    }

    /** The same, for a command: the hash of its content. */
    public ReceiptDocument ofCommand(String contentHash) {
        return new ReceiptDocument(
                id, instanceId, outcome, createdAt, enqueuedAt, reason, retry, dispatch, contentHash);
    }

    /** Whether it was delivered, rather than refused. */
    public boolean isDelivered() {
        return outcome.equals(DELIVERED);
    }

    /** The document to write. */
    public ObjectNode toJson() {
        ObjectNode json = DocumentJson.document(id, instanceId, DocumentType.RECEIPT)
                .put(SchemaVersion.FIELD, SCHEMA_VERSION)
                .put("outcome", outcome)
                .put(Fields.CREATED_AT, createdAt);
        DocumentJson.put(json, Fields.ENQUEUED_AT, enqueuedAt);
        if (retry > 0) {
            json.put("retry", retry);
        }
        if (!dispatch.isEmpty()) {
            ObjectNode metadata = json.putObject(DISPATCH);
            new TreeMap<>(dispatch).forEach(metadata::put);
        }
        if (content != null) {
            json.put(CONTENT, content);
        }
        return json.put("reason", reason).put("ttl", TTL_SECONDS);
    }
}
