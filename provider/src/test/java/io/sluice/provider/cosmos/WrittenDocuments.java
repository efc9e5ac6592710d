package io.sluice.provider.cosmos;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;

/** Documents as writers of the store make them, for tests that write many or odd ones past the provider. */
final class WrittenDocuments {
    private WrittenDocuments() {}

    /** A running instance that is pinned to this version. */
    static ObjectNode pinned(String instance, SemanticVersion version, long createdAt) {
        return document(instance + ":instance", instance, "instance")
                .put("orchestrationName", "Order")
                .put("orchestrationVersion", "1.0.0")
                .put("currentExecutionId", 1)
                .put("status", "Running")
                .put("pinnedDuroxideVersionPacked", version.packed())
                .put("createdAt", createdAt)
                .put("updatedAt", createdAt);
    }

    /** The message of an instance, in its queue. */
    static ObjectNode message(WorkItem message, long enqueuedAt) {
        String instance = message.routedInstance();
        return document("m-" + instance, instance, "orch_queue")
                .put("workItem", WorkItemJson.encode(message))
                .put("visibleAt", enqueuedAt)
                .put("enqueuedAt", enqueuedAt)
                .put("attemptCount", 0);
    }

    /** What all documents have. */
    static ObjectNode document(String id, String instance, String type) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", id)
                .put("instanceId", instance)
                .put("type", type);
    }
}
