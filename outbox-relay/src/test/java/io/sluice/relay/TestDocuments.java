package io.sluice.relay;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;

/** Documents as turns leave them in the store. */
public final class TestDocuments {
    private TestDocuments() {}

    /** What all documents have. */
    public static ObjectNode document(String id, String instance, String type) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", id)
                .put("instanceId", instance)
                .put("type", type);
    }

    /** An event of an instance's history. */
    public static ObjectNode event(HistoryEvent event) {
        var instance = event.instanceId();
        return document(instance + ":history:" + event.executionId() + ":" + event.eventId(), instance, "history")
                .put("executionId", event.executionId())
                .put("eventId", event.eventId())
                .put("eventData", HistoryJson.encode(event));
    }

    /** The key of a source's intent, by its position. */
    public static String key(String source, int position) {
        return "%s:1:0123456789abcdef.%06d".formatted(source, position);
    }

    /** An intent that cancels the target. */
    public static ObjectNode cancellation(String source, String target, int position, long nowMillis) {
        var key = key(source, position);
        var message = document("outbox:" + key, target, "orch_queue")
                .put("workItem", "{\"CancelInstance\":{\"instance\":\"" + target + "\",\"reason\":\"\"}}")
                .put("dispatchSlot", 0)
                .put("visibleAt", nowMillis)
                .put("enqueuedAt", nowMillis)
                .put("attemptCount", 0);
        return intent(key, source, target, message, nowMillis);
    }

    /** A pending intent that puts the message into the target's queue. */
    public static ObjectNode intent(String key, String source, String target, ObjectNode message, long nowMillis) {
        return document("intent:" + key, source, "outbox_intent")
                .put("targetInstanceId", target)
                .put("targetDocumentType", "orch_queue")
                .put("payload", message.toString())
                .put("idempotencyKey", key)
                .put("status", "pending")
                .put("createdAt", nowMillis)
                .put("attemptCount", 0);
    }

    /** A message of an instance's queue. */
    public static ObjectNode message(String instance, String id, long visibleAtMillis) {
        return queued("orch_queue", instance, id, visibleAtMillis)
                .put("workItem", "{\"CancelInstance\":{\"instance\":\"" + instance + "\",\"reason\":\"\"}}");
    }

    /** An activity that may be taken. */
    public static ObjectNode activity(String instance, String id) {
        return activity(instance, id, System.currentTimeMillis());
    }

    /** An activity that may be taken from a time on. */
    public static ObjectNode activity(String instance, String id, long visibleAtMillis) {
        return queued("worker_queue", instance, id, visibleAtMillis)
                .put("workItem", "{\"ActivityExecute\":{\"instance\":\"" + instance + "\"}}")
                .put("executionId", 1)
                .put("activityId", 1);
    }

    private static ObjectNode queued(String type, String instance, String id, long visibleAtMillis) {
        return document(id, instance, type)
                .put("dispatchSlot", 0)
                .put("visibleAt", visibleAtMillis)
                .put("enqueuedAt", System.currentTimeMillis())
                .put("attemptCount", 0);
    }
}
