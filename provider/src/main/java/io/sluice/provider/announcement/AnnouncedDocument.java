package io.sluice.provider.announcement;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.work.DispatchSlot;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an announcement says of a message or an activity: everything but its payload, which the batch that locks it
 * returns.
 *
 * @param id of the document
 * @param kind of the work item, such as {@code StartOrchestration}; empty when it is not known
 * @param workItemLength characters of the work item
 * @param visibleAt milliseconds
 * @param enqueuedAt milliseconds
 * @param lockedUntil milliseconds; null for never locked
 * @param etag the document's version
 * @param executionId null but for activities
 * @param activityId null but for activities
 * @param sessionId null for none
 * @param tag null for none
 * @param orchestration what it begins; null where it begins nothing, or that is not known
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AnnouncedDocument(
        String id,
        String kind,
        long workItemLength,
        long visibleAt,
        long enqueuedAt,
        @Nullable Long lockedUntil,
        int attemptCount,
        String etag,
        @Nullable Long executionId,
        @Nullable Long activityId,
        @Nullable String sessionId,
        @Nullable String tag,
        @Nullable AnnouncedOrchestration orchestration) {
    private static final Logger LOG = LoggerFactory.getLogger(AnnouncedDocument.class);

    /** The field by which a query gives the length of a work item that it cuts after its kind. */
    public static final String WORK_ITEM_LENGTH = "workItemLength";

    /** The ETag of a document whose version is not known. */
    public static final String ANY_VERSION = "*";

    /** The first characters of a work item, which show its kind. */
    public static final int KIND_CHARACTERS = Limits.MOST_KIND + 3;

    private static final Set<String> STARTS = Set.of("StartOrchestration", "ContinueAsNew");

    private static final Pattern KIND = Pattern.compile("\\{\"([A-Za-z]{1,40})\"");

    public AnnouncedDocument {
        kind = kind == null ? "" : kind;
    }

    /**
     * Checks that it can be announced.
     *
     * @param place of the document, before the names of its fields
     * @throws IllegalArgumentException when a field exceeds its limit
     */
    void check(String place) {
        Limits.text(place + "id", id, Limits.MOST_ID);
        Limits.text(place + "etag", etag, Limits.MOST_ID);
        Limits.optional(place + "kind", kind, Limits.MOST_KIND);
        Limits.optional(place + "sessionId", sessionId, Limits.MOST_ID);
        Limits.optional(place + "tag", tag, Limits.MOST_ID);
        if (orchestration != null) {
            orchestration.check(place + "orchestration.");
        }
    }

    /**
     * A message that has not been announced.
     *
     * @param enqueuedAt milliseconds; the id alone may be that of a message that was handled before
     */
    public static AnnouncedDocument named(String id, long enqueuedAt) {
        return new AnnouncedDocument(id, "", 0, 0, enqueuedAt, null, 0, ANY_VERSION, null, null, null, null, null);
    }

    /**
     * Of a document of either queue.
     *
     * @param json with its {@code _etag}; of a query's row that cuts the work item, with {@link #WORK_ITEM_LENGTH}
     * @throws io.sluice.provider.document.MalformedDocumentException when it is no such document
     */
    public static AnnouncedDocument of(JsonNode json) {
        QueueDocument document = QueueDocument.fromJson(json);
        long length = json.path(WORK_ITEM_LENGTH).asLong(document.workItem().length());
        return of(document, DocumentJson.etag(json), length);
    }

    /** Of a document of either queue that is known whole. */
    public static AnnouncedDocument of(QueueDocument document, String etag) {
        return of(document, etag, document.workItem().length());
    }

    /**
     * Of a document of either queue.
     *
     * @param workItemLength characters of the work item, which may be cut after its kind
     */
    public static AnnouncedDocument of(QueueDocument document, String etag, long workItemLength) {
        String kind = kind(document.workItem());
        return new AnnouncedDocument(
                document.id(),
                kind,
                workItemLength,
                document.visibleAt(),
                document.enqueuedAt(),
                document.lockedUntil(),
                document.attemptCount(),
                etag,
                document.executionId(),
                document.activityId(),
                document.sessionId(),
                document.tag(),
                isStart(document, kind) && isWhole(document, workItemLength)
                        ? AnnouncedOrchestration.of(document.workItem()).orElse(null)
                        : null);
    }

    private static String kind(String workItem) {
        Matcher kind = KIND.matcher(workItem);
        return kind.lookingAt() ? kind.group(1) : "";
    }

    private static boolean isStart(QueueDocument document, String kind) {
        return document.type() == DocumentType.ORCHESTRATOR_QUEUE && STARTS.contains(kind);
    }

    /** The orchestration stands behind what a query leaves of a work item. */
    private static boolean isWhole(QueueDocument document, long workItemLength) {
        return document.workItem().length() == workItemLength;
    }

    /** The same, or nothing for a document that is malformed, or of which a field is too long to be announced. */
    public static Optional<AnnouncedDocument> ifWellFormed(JsonNode json) {
        try {
            AnnouncedDocument document = of(json);
            document.check("");
            return Optional.of(document);
        } catch (MalformedDocumentException | IllegalArgumentException e) {
            LOG.atDebug()
                    .addKeyValue("document", json.path("id").asText())
                    .addKeyValue("reason", e.getMessage())
                    .log("a document of a queue is malformed, it is not announced");
            return Optional.empty();
        }
    }

    /** Whether it is a message that begins an execution. */
    @JsonIgnore
    public boolean isStart() {
        return STARTS.contains(kind);
    }

    /** From when on it may be taken (milliseconds). */
    public long dueAt() {
        return lockedUntil == null ? visibleAt : Math.max(visibleAt, lockedUntil);
    }

    /** The document of this instance, its work item cut after the kind. */
    public Stored<QueueDocument> toQueueDocument(WorkQueue queue, String instanceId) {
        QueueDocument document = new QueueDocument(
                id,
                instanceId,
                queue == WorkQueue.TURNS ? DocumentType.ORCHESTRATOR_QUEUE : DocumentType.WORKER_QUEUE,
                kind.isEmpty() ? "" : "{\"" + kind + "\"",
                DispatchSlot.of(instanceId),
                visibleAt,
                enqueuedAt,
                null,
                lockedUntil,
                attemptCount,
                executionId,
                activityId,
                sessionId,
                tag,
                null);
        return new Stored<>(document, etag);
    }
}
