package io.sluice.provider.outbox;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.TraceContext;
import io.sluice.provider.document.Dispatch;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.IntentDocument;
import io.sluice.provider.document.IntentStatus;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.MalformedLog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * A document still to be created in another partition.
 *
 * @param key idempotency key; unique for ever
 * @param targetDocumentType {@code orch_queue} or {@code worker_queue}
 * @param payload the complete target document as JSON text
 * @param createdAtMillis grows from turn to turn of one source; with {@code position} the order of delivery per pair of
 *     source and target
 * @param position place within its turn; 0 for intents of other writers
 * @param deliverAfterMillis until then the ack's own try is under way; equals {@code createdAtMillis} for intents of
 *     other writers
 * @param attempts failed tries so far
 * @param nextAttemptAtMillis when a parked intent is due again; 0 when it never failed
 * @param firstError what the first failed try said
 * @param lastError what the latest failed try said
 * @param retry how often it was taken up again by hand after it had failed permanently
 * @param ownForm whether the key has the form Sluice gives it; false: another writer's
 * @param etag version of the intent document
 * @param earlierAttempts tries of the lives before it was taken up again by hand
 * @param lastAttemptAtMillis when the store last refused it; null for never
 * @param dispatch what goes along with it
 */
public record Intent(
        String sourceInstance,
        String key,
        String targetInstance,
        String targetDocumentType,
        String payload,
        IntentStatus status,
        long createdAtMillis,
        int position,
        long deliverAfterMillis,
        int attempts,
        long nextAttemptAtMillis,
        @Nullable String firstError,
        @Nullable String lastError,
        int retry,
        boolean ownForm,
        String etag,
        int earlierAttempts,
        @Nullable Long lastAttemptAtMillis,
        Dispatch dispatch) {
    /** Order of delivery of one source: by turn, then by place in the turn. */
    public static final Comparator<Intent> DELIVERY_ORDER = Comparator.comparingLong(Intent::createdAtMillis)
            .thenComparingInt(Intent::position)
            .thenComparing(Intent::key);

    static final String EARLIER_ATTEMPTS = "earlierAttempts";

    private static final MalformedLog MALFORMED = new MalformedLog(LoggerFactory.getLogger(Intent.class));
    private static final Pattern OWN_KEY = Pattern.compile("(?:.*:[0-9]+:[0-9a-f]{16}|[0-9a-f]{64})\\.([0-9]{6,9})");

    public Intent {
        Objects.requireNonNull(sourceInstance, "sourceInstance");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(targetInstance, "targetInstance");
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(dispatch, "dispatch");
    }

    /**
     * Reads stored intents, in {@link #DELIVERY_ORDER}. One that lacks a field can't be delivered by anybody; it is
     * left out, and its version logged once.
     */
    public static List<Intent> fromJson(List<? extends JsonNode> rows) {
        List<Intent> intents = new ArrayList<>();
        for (JsonNode row : rows) {
            try {
                intents.add(fromJson(row));
            } catch (MalformedDocumentException e) {
                MALFORMED.log(row, "an intent is malformed and can't be delivered; repair or delete it", e);
            }
        }
        intents.sort(DELIVERY_ORDER);
        return List.copyOf(intents);
    }

    static Intent fromJson(JsonNode json) {
        return of(
                IntentDocument.fromJson(json),
                DocumentJson.etag(json),
                json.path("nextAttemptAt").asLong(0),
                json.path("firstError").textValue(),
                json.path("lastError").textValue(),
                json.path("retry").asInt(0),
                json.path(EARLIER_ATTEMPTS).asInt(0));
    }

    /** An intent that was just written. */
    public static Intent of(IntentDocument document, String etag) {
        return of(document, etag, 0, null, null, 0, 0);
    }

    private static Intent of(
            IntentDocument document,
            String etag,
            long nextAttemptAt,
            @Nullable String firstError,
            @Nullable String lastError,
            int retry,
            int earlierAttempts) {
        Matcher own = OWN_KEY.matcher(document.idempotencyKey());
        boolean ownForm = own.matches();
        Long deliverAfter = document.deliverAfter();
        return new Intent(
                document.instanceId(),
                document.idempotencyKey(),
                document.targetInstanceId(),
                document.targetDocumentType(),
                document.payload(),
                document.status(),
                document.createdAt(),
                ownForm ? Integer.parseInt(own.group(1)) : 0,
                deliverAfter == null ? document.createdAt() : deliverAfter,
                document.attemptCount(),
                nextAttemptAt,
                firstError,
                lastError,
                retry,
                ownForm,
                etag,
                earlierAttempts,
                document.lastAttemptAt(),
                document.dispatch());
    }

    /** Id of the intent document in the source's partition. */
    public String id() {
        return DocumentIds.intent(key);
    }

    /** When any reader may settle it: after the ack's own try, and when its pause or its deadline is over. */
    public long dueAtMillis() {
        Long deadline = dispatch.deadline();
        long waited = deadline == null ? nextAttemptAtMillis : Math.min(nextAttemptAtMillis, deadline);
        return Math.max(deliverAfterMillis, waited);
    }

    /** The trace that it goes on, null when it belongs to none. */
    public @Nullable TraceContext trace() {
        return dispatch.trace();
    }

    /** Whether its deadline has passed; then it is given up rather than tried. */
    public boolean isExpired(long nowMillis) {
        Long deadline = dispatch.deadline();
        return deadline != null && nowMillis >= deadline;
    }

    /** Dispatches that were refused before the next one, earlier lives included. */
    public int retryAttempt() {
        return earlierAttempts + attempts;
    }

    /** As it is once the store has refused it at this time (milliseconds), which is not written anywhere yet. */
    public Intent refused(String error, long atMillis) {
        return new Intent(
                sourceInstance,
                key,
                targetInstance,
                targetDocumentType,
                payload,
                status,
                createdAtMillis,
                position,
                deliverAfterMillis,
                attempts + 1,
                nextAttemptAtMillis,
                Objects.requireNonNullElse(firstError, error),
                error,
                retry,
                ownForm,
                etag,
                earlierAttempts,
                atMillis,
                dispatch);
    }

    /** Whether writers of other kinds would deliver it, too. */
    public boolean isPending() {
        return status == IntentStatus.PENDING;
    }

    /** Whether it was given up. */
    public boolean isFailed() {
        return status == IntentStatus.FAILED;
    }

    /**
     * Whether a stored document is an intent that is still to be delivered, however malformed the rest of it may be.
     */
    public static boolean isUndelivered(JsonNode document) {
        return document.path("type").asText().equals("outbox_intent") && IntentStatus.isUndelivered(document);
    }

    /** Where it stands, as far as the store knows. */
    public DispatchState state() {
        if (isFailed()) {
            return DispatchState.FAILED_FINAL;
        }
        return attempts > 0 ? DispatchState.FAILED_RETRYABLE : DispatchState.PENDING;
    }
}
