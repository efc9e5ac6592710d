package io.sluice.provider.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A document that is still to be created in another partition; lives in the partition of its source.
 *
 * @param payload the complete target document as text
 * @param deliverAfter milliseconds before which only the ack itself delivers; null in intents of other writers
 * @param dispatch what goes along with it; nothing in intents of other writers
 */
public record IntentDocument(
        String instanceId,
        String idempotencyKey,
        String targetInstanceId,
        String targetDocumentType,
        String payload,
        IntentStatus status,
        long createdAt,
        int attemptCount,
        @Nullable Long lastAttemptAt,
        @Nullable Long deliverAfter,
        Dispatch dispatch) {
    /** Reads a stored intent. */
    public static IntentDocument fromJson(JsonNode json) {
        return new IntentDocument(
                DocumentJson.text(json, Fields.INSTANCE_ID),
                DocumentJson.text(json, "idempotencyKey"),
                DocumentJson.text(json, "targetInstanceId"),
                DocumentJson.text(json, "targetDocumentType"),
                DocumentJson.text(json, "payload"),
                IntentStatus.of(json),
                DocumentJson.number(json, Fields.CREATED_AT),
                // A count or a time of earlier attempts that can't be read keeps nothing from its delivery.
                Objects.requireNonNullElse(DocumentJson.numberIfAny(json, Fields.ATTEMPT_COUNT), 0L)
                        .intValue(),
                DocumentJson.numberIfAny(json, "lastAttemptAt"),
                DocumentJson.numberOrNull(json, "deliverAfter"),
                Dispatch.fromJson(json));
    }

    /** Id of this document. */
    public String id() {
        return DocumentIds.intent(idempotencyKey);
    }

    /** The document to write. */
    public ObjectNode toJson() {
        ObjectNode json = DocumentJson.document(id(), instanceId, DocumentType.OUTBOX_INTENT)
                .put("targetInstanceId", targetInstanceId)
                .put("targetDocumentType", targetDocumentType)
                .put("payload", payload)
                .put("idempotencyKey", idempotencyKey)
                .put(Fields.STATUS, status.wireName())
                .put(Fields.CREATED_AT, createdAt)
                .put(Fields.ATTEMPT_COUNT, attemptCount);
        DocumentJson.put(json, "lastAttemptAt", lastAttemptAt);
        if (deliverAfter != null) {
            json.put("deliverAfter", deliverAfter.longValue());
        }
        dispatch.writeTo(json);
        return json;
    }
}
