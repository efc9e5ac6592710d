package io.sluice.provider.outbox;

import com.azure.cosmos.CosmosAsyncContainer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.IntentStatus;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.ReceiptDocument;
import io.sluice.provider.document.UnicodeText;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.FieldPatch;
import io.sluice.provider.request.RequestObserver;
import io.sluice.provider.request.SqlQuery;
import io.sluice.provider.request.WriteOutcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The intents of the store and their delivery. Nothing here keeps state: any caller may deliver any intent at
 * any time, at most one document comes of it. Thread-safe.
 */
public final class IntentOutbox {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MAX_ERROR_LENGTH = 1_000;

    private final ContainerRequests requests;
    private final Receipts receipts;
    private final IntentSlices slices;
    private final ClaimedIntents claimed;
    private final InstantSource clock;

    /** Works on this container; the clock stamps receipts. */
    public IntentOutbox(CosmosAsyncContainer container, InstantSource clock) {
        this(new ContainerRequests(container), clock);
    }

    /**
     * The same, where an observer sees every answer, such as the store's own that keeps its time right; the clock
     * stamps receipts.
     */
    public IntentOutbox(CosmosAsyncContainer container, RequestObserver observer, InstantSource clock) {
        this(new ContainerRequests(container, observer), clock);
    }

    /** Works through these requests; the clock stamps receipts. */
    public IntentOutbox(ContainerRequests requests, InstantSource clock) {
        this.requests = requests;
        this.receipts = new Receipts(requests);
        this.slices = new IntentSlices(requests);
        this.claimed = new ClaimedIntents(requests);
        this.clock = clock;
    }

    /**
     * All intents of a source that are neither delivered nor failed permanently, parked ones included, in
     * {@link Intent#DELIVERY_ORDER}. One request.
     *
     * @throws ProviderException retryable when the store can't be read
     */
    public List<Intent> undelivered(String sourceInstance) {
        Call call = Call.onInstance("readIntents", sourceInstance, PATIENCE);
        return Intent.fromJson(requests.query(call, sourceInstance, SqlQuery.of(IntentSlices.UNDELIVERED))
                .rows());
    }

    /**
     * The same piece by piece, for a source that may have more than memory has room for. One request for a source with
     * at most 200 small ones (payloads of up to 4096 characters); else one or two more for each slice, and one for its
     * plan. Larger ones are read a slice later than found, so that {@link IntentSlice.Place#bytes} shows beforehand how
     * much room they need: 4 MB at most.
     *
     * @param after where the slice before said that the next one begins; null for the first
     * @throws ProviderException retryable when the store can't be read
     */
    public IntentSlice undelivered(String sourceInstance, IntentSlice.@Nullable Place after) {
        return undelivered(sourceInstance, after, List.of());
    }

    /**
     * The same without the intents to some targets, whose pairs wait: of a source with very many of them no more than
     * the first are read.
     *
     * @param passedOver targets; those in a slice that was read before may be in it all the same
     * @throws ProviderException retryable when the store can't be read
     */
    public IntentSlice undelivered(
            String sourceInstance, IntentSlice.@Nullable Place after, Collection<String> passedOver) {
        Call call = Call.onInstance("readIntents", sourceInstance, PATIENCE);
        return slices.after(call, sourceInstance, after, passedOver);
    }

    /**
     * Delivers one intent: receipt and document in one batch. One request, one more when it was settled before. Never
     * throws for what the store answers.
     *
     * @throws ProviderException retryable, only when the thread is interrupted
     */
    public DeliveryOutcome deliver(Intent intent) {
        return deliver(intent, at -> {});
    }

    /**
     * The same.
     *
     * @param settledBefore is told when the receipt was written (milliseconds), where it was there before: a moment ago
     *     by somebody who is delivering the intents of this source now
     * @throws ProviderException retryable, only when the thread is interrupted
     */
    public DeliveryOutcome deliver(Intent intent, LongConsumer settledBefore) {
        Call call = Call.onInstance("deliverIntent", intent.targetInstance(), PATIENCE);
        ObjectNode document;
        try {
            document = target(intent);
        } catch (MalformedDocumentException | ProviderException e) {
            return new DeliveryOutcome.Poison(Objects.toString(e.getMessage()));
        }
        long now = clock.millis();
        ReceiptDocument receipt = ReceiptDocument.delivered(
                        receiptId(intent, document), intent.targetInstance(), now, intent.createdAtMillis())
                .ofIntent(intent.retry(), DispatchMetadata.of(intent, now).headers());
        try {
            Receipts.Settled settled = intent.retry() == 0
                    ? receipts.create(call, receipt, document)
                    : receipts.settleAgain(call, receipt, document);
            if (settled instanceof Receipts.Settled.Before before) {
                settledBefore.accept(before.receipt().createdAt());
            }
            return outcome(settled);
        } catch (ProviderException e) {
            return interruptedOrTransient(e);
        }
    }

    /**
     * Forbids an intent from now on: its receipt alone, in the target. One request, one more when it was settled
     * before. Never throws for what the store answers.
     *
     * @return {@link DeliveryOutcome.Refused} when it is forbidden, {@link DeliveryOutcome.Delivered} when it had gone
     *     through
     * @throws ProviderException retryable, only when the thread is interrupted
     */
    public DeliveryOutcome refuse(Intent intent, String reason) {
        Call call = Call.onInstance("refuseIntent", intent.targetInstance(), PATIENCE);
        String id;
        try {
            id = receiptId(intent, target(intent));
        } catch (MalformedDocumentException | ProviderException e) {
            return new DeliveryOutcome.Poison(Objects.toString(e.getMessage()));
        }
        long now = clock.millis();
        ReceiptDocument receipt = ReceiptDocument.refused(id, intent.targetInstance(), now, bounded(reason))
                .ofIntent(intent.retry(), DispatchMetadata.ofLast(intent, now).headers());
        try {
            return outcome(
                    intent.retry() == 0
                            ? receipts.createAlone(call, receipt)
                            : receipts.settleAgain(call, receipt, null));
        } catch (ProviderException e) {
            return interruptedOrTransient(e);
        }
    }

    /**
     * A key of ours is unique for ever. Other writers start counting again at every ack, so that a later intent may
     * bear the key of an earlier one; the id of the document, which they choose at random, then distinguishes them.
     */
    private static String receiptId(Intent intent, ObjectNode document) {
        return DocumentIds.receipt(intent.ownForm() ? intent.key() : intent.key() + ":" + DocumentJson.id(document));
    }

    static String bounded(String error) {
        return UnicodeText.sayable(UnicodeText.beginning(error, MAX_ERROR_LENGTH));
    }

    private static ObjectNode target(Intent intent) {
        ObjectNode document = DocumentJson.parse(intent.payload());
        DocumentIds.checkInstanceId("deliverIntent", intent.targetInstance());
        if (!intent.targetInstance().equals(document.path("instanceId").asText())) {
            throw new MalformedDocumentException("the payload of intent '" + intent.key()
                    + "' belongs to another instance than its target '" + intent.targetInstance() + "'");
        }
        DocumentJson.id(document);
        return document;
    }

    private static DeliveryOutcome outcome(Receipts.Settled settled) {
        if (settled instanceof Receipts.Settled.Now) {
            return new DeliveryOutcome.Delivered(true);
        }
        if (settled instanceof Receipts.Settled.Before before) {
            return before.receipt().isDelivered()
                    ? new DeliveryOutcome.Delivered(false)
                    : new DeliveryOutcome.Refused(
                            Objects.requireNonNullElse(before.receipt().reason(), "refused"));
        }
        if (settled instanceof Receipts.Settled.Unreadable unreadable) {
            // It may have been delivered: only a repair of the receipt can show it.
            return new DeliveryOutcome.Transient(unreadable.reason(), null);
        }
        WriteOutcome answer = ((Receipts.Settled.Open) settled).answer();
        if (answer instanceof WriteOutcome.Rejected rejected && !rejected.isAboutTheStore()) {
            return new DeliveryOutcome.Poison(rejected.message());
        }
        return new DeliveryOutcome.Transient(describe(answer), answer.retryAfter());
    }

    private static DeliveryOutcome interruptedOrTransient(ProviderException e) {
        if (Thread.currentThread().isInterrupted()) {
            throw e;
        }
        return new DeliveryOutcome.Transient(Objects.toString(e.getMessage()), null);
    }

    static String describe(WriteOutcome answer) {
        return answer.match(
                Object::toString, Object::toString, WriteOutcome.Ambiguous::message, WriteOutcome.Failed::message);
    }

    /**
     * Deletes intents that were delivered. One request per hundred; missing ones are fine. An intent of another writer
     * is deleted in the version that was read: a later turn may have put another one in its place, under the same key.
     * One that changed meanwhile stays for who reads it next.
     *
     * @throws ProviderException retryable when the store could not be reached; the intents then stay, and delivering
     *     them again is harmless
     */
    public void remove(String sourceInstance, List<Intent> delivered) {
        Call call = Call.onInstance("removeIntents", sourceInstance, PATIENCE);
        List<BatchWrite> deletes = new ArrayList<>();
        delivered.forEach(
                intent -> deletes.add(new BatchWrite.Delete(intent.id(), intent.ownForm() ? null : intent.etag())));
        UnchangedIntents.write(requests, call, sourceInstance, deletes);
    }

    /**
     * Takes an intent away from writers of other kinds, which deliver what is {@code pending} and keep no receipts: one
     * patch, to {@code queued}. An intent that changed or vanished meanwhile is left alone.
     *
     * @param deliverAfterMillis when to deliver it; a process that read it before the claim needs time to end
     * @return false when its document has no room left for that: it can't be claimed, and is left to the others
     * @throws ProviderException retryable when the store could not be reached
     */
    public boolean claim(Intent intent, long deliverAfterMillis) {
        Call call = Call.onInstance("claimIntent", intent.sourceInstance(), PATIENCE);
        FieldPatch claim =
                FieldPatch.set(Fields.STATUS, IntentStatus.QUEUED.wireName()).and("deliverAfter", deliverAfterMillis);
        return tryNote(call, intent, claim);
    }

    /**
     * Gives what is {@code queued} back to all writers, Rust reconcilers too, as {@code pending}: for a fleet that
     * returns to them. No process must be delivering it meanwhile, so stop relays and providers of a mixed fleet first.
     * They are read 1 000 at a time, without their payloads: a request for these, one for each hundred of a source, and
     * a last query that finds none.
     *
     * @return how many were given back; those that changed meanwhile are left alone
     * @throws ProviderException retryable when the store could not be reached; some may have been given back
     */
    public int release() {
        return claimed.release();
    }

    /**
     * Notes a failed try and when the next one is due: one patch. An intent that changed or vanished meanwhile is left
     * alone.
     *
     * @return false when the document has no room left for the note: its tries can't be counted
     * @throws ProviderException retryable when the store could not be reached
     */
    public boolean park(Intent intent, String error, long nextAttemptAtMillis) {
        Call call = Call.onInstance("parkIntent", intent.sourceInstance(), PATIENCE);
        String bounded = bounded(error);
        FieldPatch patch = FieldPatch.set("attemptCount", intent.attempts() + 1)
                .and("lastAttemptAt", clock.millis())
                .and("firstError", Objects.requireNonNullElse(intent.firstError(), bounded))
                .and("lastError", bounded)
                .and("nextAttemptAt", nextAttemptAtMillis);
        return tryNote(call, intent, patch);
    }

    /**
     * Returns false when a document of the largest size has no room for the note; an intent that changed or vanished
     * needs it no more.
     */
    private boolean tryNote(Call call, Intent intent, FieldPatch patch) {
        WriteOutcome answer = requests.batchPatiently(
                call, intent.sourceInstance(), List.of(new BatchWrite.PatchFields(intent.id(), patch, intent.etag())));
        if (answer.isTooLarge()) {
            return false;
        }
        confirm(call, answer);
        return true;
    }

    /** Returns false when the intent changed or vanished meanwhile, and throws when the write failed. */
    static boolean confirm(Call call, WriteOutcome answer) {
        return answer.match(committed -> true, refused -> false, Failures.throwing(call), Failures.throwing(call));
    }
}
