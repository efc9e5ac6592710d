package io.sluice.provider.outbox;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.IntentStatus;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.QueueDocuments;
import io.sluice.provider.document.UnicodeText;
import io.sluice.provider.history.DecodingException;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.FieldPatch;
import io.sluice.provider.request.WriteOutcome;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes into an intent that it failed permanently, and the answer to its source in the same batch. Thread-safe. */
final class FailureWriter {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ContainerRequests requests;
    private final InstantSource clock;

    FailureWriter(ContainerRequests requests, InstantSource clock) {
        this.requests = requests;
        this.clock = clock;
    }

    /**
     * Writes it. When the document is as large as documents may be, less is noted.
     *
     * @param outcome whether its delivery was refused or nobody knows
     * @param answerSource whether a source that waits for its child gets the answer that the child could not be started
     */
    FailedIntents.GivingUp write(Intent intent, String outcome, String why, boolean answerSource) {
        String reason = UnicodeText.sayable(why);
        @Nullable ObjectNode answer = answerSource ? answer(intent, reason) : null;
        Call call = Call.onInstance("failIntent", intent.sourceInstance(), PATIENCE);
        FieldPatch failed = FieldPatch.set(Fields.STATUS, IntentStatus.FAILED.wireName())
                .and(FailedIntent.OUTCOME, outcome)
                .and(FailedIntent.REASON, reason)
                .and(FailedIntent.ANSWERED, answer != null)
                .and(FailedIntent.FAILED_AT, clock.millis());
        noteRefusals(failed, intent);
        try {
            WriteOutcome written = write(call, intent, failed, answer);
            if (written.isTooLarge()) {
                // As large as documents may be: less is noted.
                FieldPatch less = FieldPatch.set(Fields.STATUS, IntentStatus.FAILED.wireName())
                        .and(FailedIntent.OUTCOME, outcome)
                        .and(FailedIntent.ANSWERED, answer != null);
                written = write(call, intent, less, answer);
            }
            if (written.isTooLarge()) {
                // No larger than it was. The source gets no answer where that can't be noted; the dead letter shows
                // people the failure.
                written = write(call, intent, FieldPatch.set(Fields.STATUS, IntentStatus.FAILED.wireName()), null);
            }
            if (written.isCommitted() || written.isNotFound()) {
                return new FailedIntents.GivingUp.Failed();
            }
            // Another process may have changed it, or made it fail; the next read of the source shows that.
            return new FailedIntents.GivingUp.NotNow(IntentOutbox.describe(written));
        } catch (ProviderException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return new FailedIntents.GivingUp.NotNow(String.valueOf(e.getMessage()));
        }
    }

    /** The last one is noted nowhere else: an intent that is given up for it is not parked. */
    private static void noteRefusals(FieldPatch failed, Intent intent) {
        if (intent.attempts() > 0) {
            failed.and(Fields.ATTEMPT_COUNT, intent.attempts()).and("lastAttemptAt", intent.lastAttemptAtMillis());
            failed.and("firstError", boundedOrNull(intent.firstError()));
            failed.and("lastError", boundedOrNull(intent.lastError()));
        }
    }

    private static @Nullable String boundedOrNull(@Nullable String error) {
        return error == null ? null : IntentOutbox.bounded(error);
    }

    private WriteOutcome write(Call call, Intent intent, FieldPatch failed, @Nullable ObjectNode answer) {
        List<BatchWrite> writes = new ArrayList<>();
        writes.add(new BatchWrite.PatchFields(intent.id(), failed, intent.etag()));
        if (answer != null) {
            writes.add(new BatchWrite.Create(answer));
        }
        WriteOutcome written = requests.batchPatiently(call, intent.sourceInstance(), writes);
        // On a conflict, the answer is in the queue already.
        return written.isConflict()
                ? requests.batchPatiently(call, intent.sourceInstance(), writes.subList(0, 1))
                : written;
    }

    /** The message to a parent that its child could not be started; null when no parent waits. */
    private @Nullable ObjectNode answer(Intent intent, String reason) {
        WorkItem item;
        try {
            item = WorkItemJson.decode(
                    DocumentJson.parse(intent.payload()).path(Fields.WORK_ITEM).asText());
        } catch (MalformedDocumentException | DecodingException e) {
            return null;
        }
        if (!(item instanceof WorkItem.StartOrchestration start)
                || start.parentInstance() == null
                || start.parentId() == null
                || !start.parentInstance().equals(intent.sourceInstance())) {
            return null;
        }
        long execution = start.parentExecutionId() == null ? 1 : start.parentExecutionId();
        var failed = new WorkItem.SubOrchFailed(
                start.parentInstance(),
                execution,
                start.parentId(),
                new ErrorDetails.Infrastructure("startSubOrchestration", reason, false));
        long now = clock.millis();
        return QueueDocuments.message("failIntent", DocumentIds.failureAnswer(intent.key()), failed, now, now)
                .toJson();
    }
}
