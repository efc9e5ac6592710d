package io.sluice.provider.outbox;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.MalformedLog;
import io.sluice.provider.document.ReceiptDocument;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.WriteOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Creates a document at most once, ever: in one batch with a receipt that outlives it. Whatever the document's fate, a
 * repetition meets the receipt and is settled by it.
 */
final class Receipts {
    private static final int RECEIPT = 0;
    private static final MalformedLog MALFORMED = new MalformedLog(LoggerFactory.getLogger(Receipts.class));

    private final ContainerRequests requests;

    Receipts(ContainerRequests requests) {
        this.requests = requests;
    }

    /** What came of it. */
    sealed interface Settled {
        /** The batch went through. */
        record Now() implements Settled {}

        /** It had been decided before. */
        record Before(ReceiptDocument receipt) implements Settled {}

        /** It had been decided before, but how can't be read. */
        record Unreadable(String reason) implements Settled {}

        /** Not decided; the store's answer says why. */
        record Open(WriteOutcome answer) implements Settled {}
    }

    /** Creates the receipt and the document, or finds what was decided before. */
    Settled create(Call call, ReceiptDocument receipt, ObjectNode document) {
        WriteOutcome answer = requests.batch(
                call,
                receipt.instanceId(),
                List.of(new BatchWrite.Create(receipt.toJson()), new BatchWrite.Create(document)));
        return answer.match(
                committed -> new Settled.Now(),
                refused -> settleRefused(call, receipt, refused),
                Settled.Open::new,
                Settled.Open::new);
    }

    private Settled settleRefused(Call call, ReceiptDocument receipt, WriteOutcome.Refused refused) {
        if (!refused.isConflict()) {
            return new Settled.Open(refused);
        }
        // The document alone: a writer without receipts was here. The receipt makes that final.
        return refused.index() == RECEIPT ? readDecision(call, receipt) : createAlone(call, receipt);
    }

    /** Creates the receipt alone, or finds what was decided before. */
    Settled createAlone(Call call, ReceiptDocument receipt) {
        WriteOutcome answer =
                requests.batch(call, receipt.instanceId(), List.of(new BatchWrite.Create(receipt.toJson())));
        if (answer.isCommitted()) {
            return new Settled.Before(receipt);
        }
        return answer.isConflict() ? readDecision(call, receipt) : new Settled.Open(answer);
    }

    private Settled readDecision(Call call, ReceiptDocument receipt) {
        return find(call, receipt.instanceId(), receipt.id())
                .orElseGet(() ->
                        new Settled.Open(new WriteOutcome.Transient("a receipt expired at this very moment", null)));
    }

    /** What a receipt says; nothing when there is none. */
    Optional<Settled> find(Call call, String instanceId, String receiptId) {
        return requests.read(call, instanceId, receiptId).map(Receipts::read);
    }

    private static Settled read(ObjectNode stored) {
        try {
            return new Settled.Before(ReceiptDocument.fromJson(stored));
        } catch (MalformedDocumentException e) {
            MALFORMED.log(stored, "a receipt is malformed, and what it decided unknown; repair it, or delete it", e);
            return new Settled.Unreadable("its receipt can't be read: " + e.getMessage());
        }
    }

    /**
     * Settles an intent that was taken up again: replaces the refusal of an earlier life, so that whatever of that life
     * is still on its way meets another version.
     *
     * @param document to create with it; null to refuse once more
     */
    Settled settleAgain(Call call, ReceiptDocument receipt, @Nullable ObjectNode document) {
        Optional<ObjectNode> stored = requests.read(call, receipt.instanceId(), receipt.id());
        if (stored.isEmpty()) {
            return document == null ? createAlone(call, receipt) : create(call, receipt, document);
        }
        Settled decided = read(stored.get());
        if (!(decided instanceof Settled.Before before)
                || before.receipt().isDelivered()
                || before.receipt().retry() >= receipt.retry()) {
            return decided;
        }
        List<BatchWrite> writes = new ArrayList<>();
        writes.add(new BatchWrite.Replace(receipt.toJson(), DocumentJson.etag(stored.get())));
        if (document != null) {
            writes.add(new BatchWrite.Create(document));
        }
        WriteOutcome answer = requests.batch(call, receipt.instanceId(), writes);
        if (answer.isCommitted()) {
            return document == null ? new Settled.Before(receipt) : new Settled.Now();
        }
        if (answer.isConflict() && document != null) {
            // The document is there: a writer without receipts was here.
            return settleAgain(call, receipt, null);
        }
        return new Settled.Open(answer);
    }
}
