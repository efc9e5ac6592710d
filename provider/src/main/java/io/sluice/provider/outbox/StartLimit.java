package io.sluice.provider.outbox;

import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.work.WorkItem;

/**
 * Refuses starts that could be stored and never be acked: what begins an execution becomes the first event of its first
 * turn, and that event goes into one batch together with the instance. Pure.
 */
public final class StartLimit {
    /** Largest start, as documents: what the batch of a turn holds, less what the event has that the start has not. */
    public static final int MAX_BYTES = BatchWrite.MAX_BYTES - 8 * 1024;

    private StartLimit() {}

    /**
     * Checks a message for the orchestrator queue; one that begins nothing always passes.
     *
     * @throws ProviderException permanent, naming the field, its size and the limit
     */
    public static void check(String operation, WorkItem item, QueueDocument message) {
        if (begins(item) && !DocumentJson.isSurelyWithin(message.toJson(), MAX_BYTES)) {
            check(operation, item, message, DocumentJson.sizeBytes(message.toJson()));
        }
    }

    /**
     * Checks a start.
     *
     * @param bytes of all that is written for it
     * @throws ProviderException permanent, naming the field, its size and the limit
     */
    public static void check(String operation, WorkItem item, QueueDocument message, long bytes) {
        if (bytes > MAX_BYTES) {
            throw ProviderException.permanent(
                    operation,
                    "the " + item.variant() + " of instance '" + message.instanceId() + "' takes " + bytes
                            + " bytes as a document, the limit is " + MAX_BYTES
                            + ", for its first turn has to store it in one batch; the field input alone takes "
                            + inputBytes(item)
                            + ". Nothing was written. Keep large inputs elsewhere, and start with their address");
        }
    }

    private static boolean begins(WorkItem item) {
        return item instanceof WorkItem.StartOrchestration || item instanceof WorkItem.ContinueAsNew;
    }

    /** As stored: escaped twice, as JSON within JSON. */
    private static int inputBytes(WorkItem item) {
        String input = item instanceof WorkItem.StartOrchestration start
                ? start.input()
                : ((WorkItem.ContinueAsNew) item).input();
        return DocumentJson.sizeBytes(TextNode.valueOf(DocumentJson.quoted(input)));
    }
}
