package io.sluice.provider.outbox;

import com.azure.cosmos.CosmosAsyncContainer;
import io.sluice.provider.ProviderException;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.IntentStatus;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.FieldPatch;
import io.sluice.provider.request.QueryPage;
import io.sluice.provider.request.RequestLimits;
import io.sluice.provider.request.RequestObserver;
import io.sluice.provider.request.SqlQuery;
import io.sluice.provider.request.WriteOutcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives intents up, and lists, retries and discards them afterwards. Giving up first writes a refused receipt
 * in the target; only when that is certain does the source get an answer, so that a child is never both started and
 * reported as failed. The rules are in the protocol model of intents. Thread-safe.
 */
public final class FailedIntents {
    /** Why an intent past its deadline is given up. */
    public static final String EXPIRED = "its deadline has passed";

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MOST_AT_ONCE = 100;
    private static final String ARE_FAILED = " FROM c WHERE c.type = 'outbox_intent' AND c.status = 'failed'";
    private static final String WHOLE = "SELECT *" + ARE_FAILED;
    private static final String UNREPORTED = WHOLE + " AND (NOT IS_DEFINED(c.reported) OR c.reported = false)";
    private static final String BY_ID = WHOLE + " AND c.id = @id";
    private static final String COUNT = "SELECT VALUE COUNT(1)" + ARE_FAILED;
    /** All but the document that could not be delivered, which may be a thousand times as large. */
    private static final String NOTES = "SELECT c.id, c._etag, c.instanceId, c.idempotencyKey, c.targetInstanceId,"
            + " c.targetDocumentType, '' AS payload, c.status, c.createdAt, c.attemptCount, c.lastAttemptAt,"
            + " c.deliverAfter, c.nextAttemptAt, c.dispatch, c.firstError, c.lastError, c.retry, c.earlierAttempts,"
            + " c.outcome, c.failure, c.answered, c.failedAt, c.reported" + ARE_FAILED;
    /**
     * The time of failing has no index. The time of the latest change always has one, and differs little: the intent
     * failed then, or was reported soon after.
     */
    private static final String OLDEST = NOTES + " ORDER BY c._ts";

    private static final String NEWEST = OLDEST + " DESC";

    private final ContainerRequests requests;
    private final IntentOutbox outbox;
    private final FailureWriter writer;
    private final InstantSource clock;

    /** Works on this container; the clock stamps what it writes. */
    public FailedIntents(CosmosAsyncContainer container, InstantSource clock) {
        this(new ContainerRequests(container), clock);
    }

    /**
     * The same, where an observer sees every answer, such as the store's own that keeps its time right; the clock
     * stamps what it writes.
     */
    public FailedIntents(CosmosAsyncContainer container, RequestObserver observer, InstantSource clock) {
        this(new ContainerRequests(container, observer), clock);
    }

    /** The same, within limits such as the store's own, whose group of scans its lists belong to. */
    public FailedIntents(
            CosmosAsyncContainer container, RequestObserver observer, RequestLimits limits, InstantSource clock) {
        this(new ContainerRequests(container, observer, limits), clock);
    }

    /** Works through these requests; the clock stamps what it writes. */
    public FailedIntents(ContainerRequests requests, InstantSource clock) {
        this.requests = requests;
        this.outbox = new IntentOutbox(requests, clock);
        this.writer = new FailureWriter(requests, clock);
        this.clock = clock;
    }

    /** How giving up ended. */
    public sealed interface GivingUp {
        /** The intent is failed permanently, by us or by others before. */
        record Failed() implements GivingUp {}

        /** It had been delivered all along; the intent may be removed. */
        record WasDelivered() implements GivingUp {}

        /** The store could not be reached; it stays as it is, to be tried again. */
        record NotNow(String error) implements GivingUp {}
    }

    /**
     * Gives an intent up.
     *
     * @param intent with all its refusals, the last one too
     * @param answerSource whether the source of a sub-orchestration's start gets the answer that it failed; else it
     *     waits for ever
     * @throws ProviderException retryable, only when the thread is interrupted
     */
    public GivingUp giveUp(Intent intent, String reason, boolean answerSource) {
        DeliveryOutcome refusal = outbox.refuse(intent, reason);
        if (refusal instanceof DeliveryOutcome.Delivered) {
            return new GivingUp.WasDelivered();
        }
        if (refusal instanceof DeliveryOutcome.Transient failure) {
            return new GivingUp.NotNow(failure.error());
        }
        // Refused; or poison, which no writer could ever have delivered.
        return writer.write(intent, FailedIntent.REFUSED, reason, answerSource);
    }

    /**
     * Gives up an intent that is older than receipts live: whether it was ever delivered can't be known, so no source
     * is answered.
     *
     * @throws ProviderException retryable, only when the thread is interrupted
     */
    public GivingUp giveUpUnknown(Intent intent, String reason) {
        return writer.write(intent, FailedIntent.UNKNOWN, reason, false);
    }

    /**
     * A page of the intents that were given up and are still stored.
     *
     * @param next where the list goes on; null at its end
     */
    public record Page(List<FailedIntent> failed, @Nullable String next) {
        public Page {
            failed = List.copyOf(failed);
        }
    }

    /**
     * Failed intents, the latest change first: these are the newest failures, or were reported late. Without their
     * payloads.
     *
     * @param source only of this instance; null for all
     * @param most of them
     * @param from where the page before said that the list goes on; null for its beginning
     */
    public Page newest(@Nullable String source, int most, @Nullable String from) {
        return page(source, NEWEST, most, from);
    }

    /**
     * Failed intents, the oldest change first; an intent that changes meanwhile comes again. Without their payloads.
     *
     * @param source only of this instance; null for all
     * @param from where the page before said that the list goes on; null for its beginning
     */
    public Page oldest(@Nullable String source, @Nullable String from) {
        return page(source, OLDEST, MOST_AT_ONCE, from);
    }

    /** The key ranges of the physical partitions, for {@link #unreported}. */
    public List<String> ranges() {
        return requests.ranges(Call.scan("listFailedIntents", PATIENCE));
    }

    /**
     * Failed intents of a key range that were not yet published to the dead letter topic, in no order. With their
     * payloads, so a page has no more than fit into one answer of the store. A partition that does not answer fails its
     * own list only.
     *
     * @param range one of {@link #ranges}
     * @param from where the page before said that the list goes on; null for its beginning
     */
    public Page unreported(String range, @Nullable String from) {
        Call call = Call.scan("listFailedIntents", PATIENCE);
        QueryPage page = requests.pageOfRange(call, range, SqlQuery.of(UNREPORTED), MOST_AT_ONCE, from);
        return new Page(FailedIntent.in(page.rows()), page.next());
    }

    private Page page(@Nullable String source, String query, int most, @Nullable String from) {
        Call call = Call.scan("listFailedIntents", PATIENCE);
        QueryPage page = requests.page(call, source, SqlQuery.of(query), most, from);
        return new Page(FailedIntent.in(page.rows()), page.next());
    }

    /** How many failed intents a source has. */
    public long count(String source) {
        Call call = Call.onInstance("countFailedIntents", source, PATIENCE);
        return requests.queryValues(call, source, SqlQuery.of(COUNT), Long.class).stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** The failed intent with this key. */
    public Optional<FailedIntent> find(String key) {
        Call call = Call.scan("findFailedIntent", PATIENCE);
        return FailedIntent.in(requests.queryAllRanges(call, SqlQuery.of(BY_ID).with("@id", DocumentIds.intent(key))))
                .stream()
                .findFirst();
    }

    /**
     * Notes that it was published to the dead letter topic. One that changed or vanished meanwhile is left alone.
     *
     * @return false when its document has no room left for that
     */
    public boolean markReported(FailedIntent failed) {
        WriteOutcome outcome =
                send("reportFailedIntent", failed, change(failed, FieldPatch.set(FailedIntent.REPORTED, true)));
        if (outcome.isTooLarge()) {
            return false;
        }
        confirm("reportFailedIntent", failed, outcome);
        return true;
    }

    /**
     * Takes it up again: it is delivered as if new, but has given up its place in the order. Writers of other kinds
     * leave it alone.
     *
     * @return false when it changed or vanished meanwhile
     * @throws ProviderException permanent when its source was answered that it failed, or its deadline has passed
     */
    public boolean retry(FailedIntent failed) {
        if (failed.answered()) {
            throw ProviderException.permanent(
                    "retryIntent",
                    "intent '" + failed.intent().key() + "' can't be retried: its source '"
                            + failed.intent().sourceInstance()
                            + "' was told that it failed; discard it, and start the instance again");
        }
        if (isExpired(failed)) {
            throw ProviderException.permanent(
                    "retryIntent",
                    "intent '" + failed.intent().key()
                            + "' can't be retried: its deadline has passed; discard it, and send its content again");
        }
        return patch(
                "retryIntent",
                failed,
                FieldPatch.set(Fields.STATUS, IntentStatus.QUEUED.wireName())
                        .and("retry", failed.intent().retry() + 1)
                        .and(Fields.ATTEMPT_COUNT, 0)
                        .and(Intent.EARLIER_ATTEMPTS, failed.intent().retryAttempt())
                        .and(
                                Fields.CREATED_AT,
                                Math.max(clock.millis(), failed.intent().createdAtMillis() + 1))
                        .and("nextAttemptAt", 0)
                        .and(FailedIntent.REPORTED, false));
    }

    /** Whether its deadline has passed; then it can't be retried. */
    public boolean isExpired(FailedIntent failed) {
        return failed.intent().isExpired(clock.millis());
    }

    /**
     * Removes it permanently.
     *
     * @return false when it changed or vanished meanwhile
     */
    public boolean discard(FailedIntent failed) {
        return write(
                "discardIntent",
                failed,
                new BatchWrite.Delete(failed.intent().id(), failed.intent().etag()));
    }

    private boolean patch(String operation, FailedIntent failed, FieldPatch fields) {
        return write(operation, failed, change(failed, fields));
    }

    private static BatchWrite change(FailedIntent failed, FieldPatch fields) {
        return new BatchWrite.PatchFields(
                failed.intent().id(), fields, failed.intent().etag());
    }

    private boolean write(String operation, FailedIntent failed, BatchWrite write) {
        return confirm(operation, failed, send(operation, failed, write));
    }

    private WriteOutcome send(String operation, FailedIntent failed, BatchWrite write) {
        return requests.batchPatiently(call(operation, failed), failed.intent().sourceInstance(), List.of(write));
    }

    /** Returns false when it changed or vanished meanwhile. */
    private static boolean confirm(String operation, FailedIntent failed, WriteOutcome outcome) {
        return IntentOutbox.confirm(call(operation, failed), outcome);
    }

    private static Call call(String operation, FailedIntent failed) {
        return Call.onInstance(operation, failed.intent().sourceInstance(), PATIENCE);
    }
}
