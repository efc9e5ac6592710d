package io.sluice.provider.cosmos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.ReceiptDocument;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.WriteOutcome;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates queue documents, each at most once however often a try gets no answer. Thread-safe.
 *
 * <p>A try without an answer may have gone through, and its document may be consumed before the next try: then nothing
 * in the partition distinguishes it from a try that was lost, and a further one would create the document again. So
 * every try, the first too, creates a receipt in the same batch. One written by the repetition alone would prove
 * nothing: it would not be there when the first try went through and was consumed, nor hold up a first try that arrives
 * late, after the repetition was consumed. The price is one small document more, which expires; it is no further
 * request.
 */
final class Enqueuing {
    /**
     * Far longer than a request that was given up may still be on its way; one with an id of the caller's lives as long
     * as all others.
     */
    private static final int OWN_RECEIPT_SECONDS = 60 * 60;

    private static final int RECEIPT = 0;

    private final ContainerRequests requests;
    private final Duration patience;

    /**
     * What proves that a document was created.
     *
     * @param isOfCaller whether the caller chose its id, and may have used it before
     */
    private record Proof(ReceiptDocument receipt, boolean isOfCaller) {
        ObjectNode toJson() {
            return isOfCaller ? receipt.toJson() : ownReceipt(receipt);
        }
    }

    /**
     * Enqueues through these requests.
     *
     * @param patience for how long tries go on that get no answer, or are refused in passing
     */
    Enqueuing(ContainerRequests requests, Duration patience) {
        this.requests = requests;
        this.patience = patience;
    }

    /**
     * Creates the document, unless it was created before.
     *
     * @param requestId the caller's name for this wish, under which it may be repeated; null when the caller repeats
     *     nothing
     * @throws ProviderException retryable when the store gave no answer in time: the document may be there, or may yet
     *     come; permanent when another document was created under the caller's name
     */
    void create(String operation, QueueDocument document, @Nullable String requestId) {
        Call call = Call.onInstance(operation, document.instanceId(), patience);
        Proof proof = proof(document, requestId);
        List<BatchWrite> writes =
                List.of(new BatchWrite.Create(proof.toJson()), new BatchWrite.Create(document.toJson()));
        Backoff backoff = new Backoff();
        while (true) {
            WriteOutcome outcome = requests.batchPatiently(call, document.instanceId(), writes);
            boolean isCreated = outcome.match(
                    committed -> true,
                    refused -> checkOwn(call, proof, refused),
                    ambiguous -> false,
                    Failures.throwing(call));
            if (isCreated) {
                return;
            }
            if (!backoff.pause(call, null)) {
                throw Failures.of(call, outcome);
            }
        }
    }

    /** The receipt of a document whose id was made for it, to be created in the same batch. */
    static ObjectNode ownReceipt(QueueDocument document) {
        return ownReceipt(proof(document, null).receipt());
    }

    private static ObjectNode ownReceipt(ReceiptDocument receipt) {
        return receipt.toJson().put("ttl", OWN_RECEIPT_SECONDS);
    }

    /** Returns true when an earlier try created the receipt; fails when something else is in the way. */
    private boolean checkOwn(Call call, Proof proof, WriteOutcome.Refused refused) {
        if (!refused.isConflict() || refused.index() != RECEIPT) {
            throw Failures.of(call, refused);
        }
        if (proof.isOfCaller()) {
            checkSame(call, proof.receipt());
        }
        return true;
    }

    /** A second wish under the name of a first would be lost in silence. */
    private void checkSame(Call call, ReceiptDocument receipt) {
        boolean isOther = requests.read(call, receipt.instanceId(), receipt.id())
                .map(stored -> stored.path(ReceiptDocument.CONTENT).textValue())
                .filter(content -> !content.equals(receipt.content()))
                .isPresent();
        if (isOther) {
            throw ProviderException.permanent(
                    call.operation(),
                    "the requestId was used for another item of instance '" + receipt.instanceId()
                            + "' before, so nothing was queued; every request needs an id of its own");
        }
    }

    private static Proof proof(QueueDocument document, @Nullable String requestId) {
        String id = requestId == null
                ? DocumentIds.enqueueReceipt(document.id())
                : DocumentIds.requestReceipt(document.type().wireName(), requestId);
        var receipt =
                ReceiptDocument.delivered(id, document.instanceId(), document.enqueuedAt(), document.enqueuedAt());
        return requestId == null
                ? new Proof(receipt, false)
                : new Proof(receipt.ofCommand(DocumentIds.commandContent(document.workItem())), true);
    }
}
