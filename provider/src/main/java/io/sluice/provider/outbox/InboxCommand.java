package io.sluice.provider.outbox;

import io.sluice.provider.TraceContext;
import io.sluice.provider.document.ReceiptDocument;
import io.sluice.provider.json.Surrogates;
import io.sluice.provider.work.WorkItem;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A command as it is offered to an inbox.
 *
 * @param key its identity, after which its receipt is called: commands of one instance and one key are one command
 * @param item what is to be queued
 * @param trace the trace that the message carries on; null for none
 * @param earlier its identity for an earlier version, where that may have settled it; null where none can have
 */
public record InboxCommand(
        String key,
        WorkItem item,
        @Nullable TraceContext trace,
        @Nullable Earlier earlier) {
    public InboxCommand {
        Surrogates.refuse("key", Objects.requireNonNull(key, "key"));
        Objects.requireNonNull(item, "item");
    }

    /**
     * How an earlier version would have identified the command. Costs a point read at every offer.
     *
     * @param key after which that version called the receipt
     * @param notBeforeMillis a receipt written before this time is about another command; 0 when its age says nothing
     */
    public record Earlier(String key, long notBeforeMillis) {
        /** Versions that made such receipts wrote no hash of the content into them; this one does. */
        boolean isAbout(ReceiptDocument receipt) {
            return receipt.content() == null && receipt.createdAt() >= notBeforeMillis;
        }
    }

    /** A command that no earlier version identified otherwise, and that is part of no trace. */
    public static InboxCommand of(String key, WorkItem item) {
        return new InboxCommand(key, item, null, null);
    }
}
