package io.sluice.provider.document;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.work.DispatchSlot;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;

/** Makes new queue documents from work items, and refuses what the service can't hold before anything is written. */
public final class QueueDocuments {
    /** Largest document, measured after escaping. The service's limit is 2 MB; some room is left for its own fields. */
    public static final int MAX_DOCUMENT_BYTES = 2 * 1024 * 1024 - 4 * 1024;

    private QueueDocuments() {}

    /**
     * A message for the orchestrator queue.
     *
     * @param operation the contract's operation, for errors
     * @throws ProviderException permanent when the instance id or the size is over the service's limits
     */
    public static QueueDocument message(
            String operation, String id, WorkItem item, long enqueuedAtMillis, long visibleAtMillis) {
        return checked(
                operation,
                new QueueDocument(
                        id,
                        item.routedInstance(),
                        DocumentType.ORCHESTRATOR_QUEUE,
                        encode(operation, item),
                        slot(operation, item),
                        visibleAtMillis,
                        enqueuedAtMillis,
                        null,
                        null,
                        0,
                        null,
                        null,
                        null,
                        null,
                        null));
    }

    /**
     * An activity for the worker queue.
     *
     * @param operation the contract's operation, for errors
     * @throws ProviderException permanent when it is not an activity, or over the service's limits
     */
    public static QueueDocument activity(String operation, String id, WorkItem item, long nowMillis) {
        return activity(operation, id, item, nowMillis, nowMillis);
    }

    /**
     * An activity for the worker queue, with a place in the queue of its own.
     *
     * @param operation the contract's operation, for errors
     * @throws ProviderException permanent when it is not an activity, or over the service's limits
     */
    public static QueueDocument activity(
            String operation, String id, WorkItem item, long enqueuedAtMillis, long visibleAtMillis) {
        if (!(item instanceof WorkItem.ActivityExecute activity)) {
            throw ProviderException.permanent(
                    operation, "the worker queue takes ActivityExecute, was " + item.variant());
        }
        String about = "instance '" + activity.instance() + "': ActivityExecute.";
        DocumentNumbers.check(operation, about + "executionId", activity.executionId());
        DocumentNumbers.check(operation, about + "id", activity.id());
        String session = activity.sessionId();
        if (session != null) {
            // A worker that fetches the activity has to write the session.
            DocumentIds.checkDocumentId(
                    operation, about + "sessionId", DocumentIds.session(activity.instance(), session));
        }
        return checked(
                operation,
                new QueueDocument(
                        id,
                        item.routedInstance(),
                        DocumentType.WORKER_QUEUE,
                        encode(operation, item),
                        slot(operation, item),
                        visibleAtMillis,
                        enqueuedAtMillis,
                        null,
                        null,
                        0,
                        activity.executionId(),
                        activity.id(),
                        activity.sessionId(),
                        activity.tag(),
                        null));
    }

    /**
     * A work item's JSON, as messages hold it.
     *
     * @param operation the contract's operation, for errors
     * @throws ProviderException permanent when it can't be stored
     */
    public static String encode(String operation, WorkItem item) {
        try {
            return WorkItemJson.encode(item);
        } catch (IllegalArgumentException e) {
            throw ProviderException.permanent(
                    operation,
                    item.variant() + " for instance '" + item.routedInstance() + "' can't be stored: " + e.getMessage(),
                    e);
        }
    }

    private static int slot(String operation, WorkItem item) {
        DocumentIds.checkInstanceId(operation, item.routedInstance());
        return DispatchSlot.of(item.routedInstance());
    }

    private static QueueDocument checked(String operation, QueueDocument document) {
        ObjectNode json = document.toJson();
        if (DocumentJson.isSurelyWithin(json, MAX_DOCUMENT_BYTES)) {
            return document;
        }
        int bytes = DocumentJson.sizeBytes(json);
        if (bytes > MAX_DOCUMENT_BYTES) {
            throw ProviderException.permanent(
                    operation,
                    "a work item for instance '" + document.instanceId() + "' takes " + bytes
                            + " bytes as a document, the limit is " + MAX_DOCUMENT_BYTES);
        }
        return document;
    }
}
