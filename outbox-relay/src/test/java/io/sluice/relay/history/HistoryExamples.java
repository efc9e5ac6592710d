package io.sluice.relay.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import io.sluice.relay.topic.Topics;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Records of the history and the positions topics, made by the relay's own code. */
public final class HistoryExamples {
    private static final String TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final HistoryRecords RECORDS = new HistoryRecords(
            new Topics("sluice"), URI.create("cosmos://orders.documents.azure.com/duroxide/duroxide"));

    private HistoryExamples() {}

    /** An event as a provider stores it. */
    public static ObjectNode document(HistoryEvent event) {
        return document(event.instanceId(), event.executionId(), event.eventId(), HistoryJson.encode(event));
    }

    /** What a provider of another version, or somebody else, stores. */
    public static ObjectNode document(String instance, long execution, long event, String json) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", instance + ":history:" + execution + ":" + event)
                .put("instanceId", instance)
                .put("type", "history")
                .put("executionId", execution)
                .put("eventId", event)
                .put("eventData", json);
    }

    /** Events as records. */
    public static List<ProducerRecord<byte[], byte[]>> of(List<HistoryEvent> events) {
        return RECORDS.of(events.stream()
                .<JsonNode>map(event -> document(event).put("_ts", event.timestampMillis() / 1_000))
                .toList());
    }

    /** An event that came in a trace. */
    public static ProducerRecord<byte[], byte[]> traced(HistoryEvent event) {
        return only(document(event).put("traceparent", TRACEPARENT).put("tracestate", "vendor=1"));
    }

    /** An event that this version does not know. */
    public static ProducerRecord<byte[], byte[]> unknown() {
        return only(document("order-1", 1, 7, "{\"event_id\":7,\"type\":\"WalkedOnTheMoon\"}")
                .put("_ts", 1_767_225_600));
    }

    /** The end of an instance. */
    public static ProducerRecord<byte[], byte[]> deletion() {
        return only(JsonNodeFactory.instance
                .objectNode()
                .put("id", "purge:order-1:0b9e8d3a-6f3c-4c57-9a55-0a4a3f6f6a11")
                .put("instanceId", "order-1")
                .put("type", "purge")
                .put("deleted", true)
                .put("createdAt", 1_767_229_200_000L));
    }

    /** Positions at the beginning, since a time, and after a page. */
    public static List<ProducerRecord<byte[], byte[]>> positions() {
        var id = TestRanges.range(1, 4, "f1YUAKQ+1gA=");
        var beginning = Position.beginning(id, "y7fWkLrLQj2rVd5hF0yX3A");
        return List.of(
                RECORDS.position(beginning.at("eyJWIjoxLCJSaWQiOiJmMVlVQUtRKzFnQT0ifQ==")),
                RECORDS.position(beginning),
                RECORDS.position(beginning.since(Instant.parse("2026-01-01T00:00:00Z"))));
    }

    private static ProducerRecord<byte[], byte[]> only(JsonNode document) {
        return RECORDS.of(List.of(document)).get(0);
    }
}
