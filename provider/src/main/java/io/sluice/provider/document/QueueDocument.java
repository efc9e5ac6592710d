package io.sluice.provider.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.TraceContext;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message to an instance, or an activity for a worker; both queues share one shape.
 *
 * @param type {@link DocumentType#ORCHESTRATOR_QUEUE} or {@link DocumentType#WORKER_QUEUE}
 * @param workItem the work item's JSON as text
 * @param enqueuedAt milliseconds; with the id the order of delivery
 * @param tag absent from the document when null, unlike the other optional fields
 * @param trace the trace that it is part of; a field of our own, which writers of other kinds drop when they rewrite
 *     the document
 */
public record QueueDocument(
        String id,
        String instanceId,
        DocumentType type,
        String workItem,
        int dispatchSlot,
        long visibleAt,
        long enqueuedAt,
        @Nullable String lockToken,
        @Nullable Long lockedUntil,
        int attemptCount,
        @Nullable Long executionId,
        @Nullable Long activityId,
        @Nullable String sessionId,
        @Nullable String tag,
        @Nullable TraceContext trace) {
    /** First in, first out: by time, and within one millisecond by id, which grows with time. */
    public static final Comparator<QueueDocument> FIFO =
            Comparator.comparingLong(QueueDocument::enqueuedAt).thenComparing(QueueDocument::id);

    /**
     * Reads a stored message or activity. A work item that is missing, or no text, reads as an empty text, which no
     * decoder takes: one corrupt item must not stop the queue. What {@link QueueField} does not check is overwritten by
     * the lock, or means nothing in a message; where it has another type, it counts as null.
     *
     * @throws MalformedDocumentException when a field is none that {@link QueueField} has room for
     */
    public static QueueDocument fromJson(JsonNode json) {
        DocumentType type = DocumentJson.isType(json, DocumentType.WORKER_QUEUE)
                ? DocumentType.WORKER_QUEUE
                : DocumentType.ORCHESTRATOR_QUEUE;
        QueueField.fault(json, type).ifPresent(fault -> {
            throw new MalformedDocumentException(
                    DocumentJson.describe(json) + ": '" + fault.field() + "' " + fault.reason());
        });
        boolean isActivity = type == DocumentType.WORKER_QUEUE;
        return new QueueDocument(
                DocumentJson.id(json),
                DocumentJson.text(json, Fields.INSTANCE_ID),
                type,
                Objects.requireNonNullElse(DocumentJson.textIfAny(json, Fields.WORK_ITEM), ""),
                json.path("dispatchSlot").asInt(),
                DocumentJson.numberOrZero(json, Fields.VISIBLE_AT),
                DocumentJson.numberOrZero(json, Fields.ENQUEUED_AT),
                DocumentJson.textIfAny(json, Fields.LOCK_TOKEN),
                DocumentJson.numberIfAny(json, Fields.LOCKED_UNTIL),
                (int) DocumentJson.numberOrZero(json, Fields.ATTEMPT_COUNT),
                isActivity ? DocumentJson.numberOrNull(json, Fields.EXECUTION_ID) : null,
                isActivity ? DocumentJson.numberOrNull(json, "activityId") : null,
                DocumentJson.textIfAny(json, Fields.SESSION_ID),
                DocumentJson.textIfAny(json, "tag"),
                TraceFields.in(json));
    }

    /** Whether a live lock hides it. */
    public boolean isLocked(long nowMillis) {
        return lockedUntil != null && lockedUntil > nowMillis;
    }

    /** The same, locked once more: one attempt further. */
    public QueueDocument taken(String token, long untilMillis) {
        return locked(token, untilMillis, attemptCount + 1);
    }

    /** The same, its lock prolonged. */
    public QueueDocument renewed(long untilMillis) {
        return locked(lockToken, untilMillis, attemptCount);
    }

    /** The same as it was before the fetch that locked it. */
    public QueueDocument beforeFetch() {
        return locked(lockToken, lockedUntil, Math.max(0, attemptCount - 1));
    }

    private QueueDocument locked(@Nullable String token, @Nullable Long until, int attempts) {
        return with(token, until, attempts, trace);
    }

    /** The same, as part of this trace; null for none. */
    public QueueDocument inTrace(@Nullable TraceContext newTrace) {
        return with(lockToken, lockedUntil, attemptCount, newTrace);
    }

    private QueueDocument with(
            @Nullable String newToken, @Nullable Long newUntil, int newAttempts, @Nullable TraceContext newTrace) {
        return new QueueDocument(
                id,
                instanceId,
                type,
                workItem,
                dispatchSlot,
                visibleAt,
                enqueuedAt,
                newToken,
                newUntil,
                newAttempts,
                executionId,
                activityId,
                sessionId,
                tag,
                newTrace);
    }

    /** The document to write. */
    public ObjectNode toJson() {
        ObjectNode json = DocumentJson.document(id, instanceId, type)
                .put(Fields.WORK_ITEM, workItem)
                .put("dispatchSlot", dispatchSlot)
                .put(Fields.VISIBLE_AT, visibleAt)
                .put(Fields.ENQUEUED_AT, enqueuedAt)
                .put(Fields.LOCK_TOKEN, lockToken);
        DocumentJson.put(json, Fields.LOCKED_UNTIL, lockedUntil);
        json.put(Fields.ATTEMPT_COUNT, attemptCount);
        DocumentJson.put(json, Fields.EXECUTION_ID, executionId);
        DocumentJson.put(json, "activityId", activityId);
        json.put(Fields.SESSION_ID, sessionId);
        if (tag != null) {
            json.put("tag", tag);
        }
        TraceFields.put(json, trace);
        return json;
    }
}
