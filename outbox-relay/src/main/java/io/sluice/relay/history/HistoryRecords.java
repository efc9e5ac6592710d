package io.sluice.relay.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.kafka.KafkaMessageFactory;
import io.sluice.provider.TraceContext;
import io.sluice.provider.outbox.DispatchMetadata;
import io.sluice.provider.outbox.PurgeMarker;
import io.sluice.relay.event.EventEnvelope;
import io.sluice.relay.event.StoredEvent;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.topic.Topics;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes Kafka records of feed documents: history events by the CloudEvents Kafka binding (binary mode), positions as
 * JSON. Everything that isn't history is left out. Thread-safe.
 *
 * <p>A history record: key = instance id; value = the event's JSON as stored, but for the name of another instance;
 * {@code ce_id} = {@code <instance>:<execution>:<event>:<event timestamp>}; {@code ce_type} =
 * {@code io.sluice.history.<type>}, or {@code io.sluice.history.unknown} when this version can't decode it;
 * {@code ce_subject} = instance id; {@code ce_source} names account, database and container; {@code ce_partitionkey} is
 * the key once more; the dispatch metadata ({@code x-tpf-…}) and, where the document carries one, the trace context are
 * further headers, the latter also as CloudEvents' extension.
 *
 * <p>When an instance is deleted that a relay was expected for, its last record has the type
 * {@code io.sluice.instance.deleted} and the id {@code <instance>:deleted:<deletion>}. Pruning is no deletion.
 */
final class HistoryRecords {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryRecords.class);

    static final String TYPE_PREFIX = "io.sluice.history.";
    private static final String CONTENT_TYPE = "application/json";

    private final Topics topics;
    private final URI source;

    HistoryRecords(Topics topics, URI source) {
        this.topics = topics;
        this.source = source;
    }

    /**
     * The events among the documents, in their order; the end of an instance that was deleted is one, too. One that
     * can't be decoded is passed on as it is.
     */
    List<ProducerRecord<byte[], byte[]>> of(List<JsonNode> documents) {
        return documents.stream().flatMap(this::event).toList();
    }

    private Stream<ProducerRecord<byte[], byte[]>> event(JsonNode document) {
        if (StoredEvent.isOne(document)) {
            var event = StoredEvent.of(document);
            warnOfFault(event);
            return Stream.of(event(document, event));
        }
        return PurgeMarker.in(document).filter(PurgeMarker::deleted).map(this::deletion).stream();
    }

    private static void warnOfFault(StoredEvent event) {
        if (event.defect() != null) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.INSTANCE, event.id().instance())
                    .addKeyValue(LogKeys.REASON, event.defect())
                    .log("a history event can't be decoded, published it with the type unknown");
        }
        if (event.named() != null) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.INSTANCE, event.id().instance())
                    .addKeyValue("names", event.named())
                    .log("an event in this instance's partition names another, and is published as this one's");
        }
    }

    private ProducerRecord<byte[], byte[]> event(JsonNode document, StoredEvent stored) {
        var event = stored.id();
        var id = event.toString();
        var trace = trace(document).map(HistoryRecords::headers).orElse(Map.of());
        var message = message(
                new Head(id, TYPE_PREFIX + stored.type(), event.instance(), event.timestampMillis(), trace),
                stored.json());
        var metadata = new DispatchMetadata(
                event.instance(),
                event.instance() + ":" + event.execution(),
                id,
                0,
                null,
                event.timestampMillis(),
                null);
        addHeaders(message, metadata.headers());
        addHeaders(message, trace);
        return message;
    }

    /** The traces that the events among the documents belong to. */
    static List<TraceContext> traces(List<JsonNode> documents) {
        return documents.stream()
                .filter(StoredEvent::isOne)
                .flatMap(document -> trace(document).stream())
                .toList();
    }

    private static Optional<TraceContext> trace(JsonNode document) {
        return TraceContext.parse(textOrNull(document, "traceparent"), textOrNull(document, "tracestate"));
    }

    /** The record that ends the life of an instance. */
    private ProducerRecord<byte[], byte[]> deletion(PurgeMarker marker) {
        var instance = marker.instanceId();
        var id = instance + ":deleted:" + marker.lifeId();
        var json = JsonNodeFactory.instance
                .objectNode()
                .put("instance_id", instance)
                .put("instance", instance)
                .put("deleted_at_ms", marker.createdAtMillis())
                .toString();
        return message(
                new Head(id, EventEnvelope.INSTANCE_DELETED, instance, marker.createdAtMillis(), Map.of()), json);
    }

    /** The identity of an event, and the trace it belongs to. */
    private record Head(String id, String type, String instance, long timestampMillis, Map<String, String> trace) {}

    private ProducerRecord<byte[], byte[]> message(Head head, String json) {
        var cloudEvent = CloudEventBuilder.v1()
                .withId(head.id())
                .withSource(source)
                .withType(head.type())
                .withSubject(head.instance())
                .withTime(EventEnvelope.time(head.timestampMillis()))
                .withDataContentType(CONTENT_TYPE)
                .withData(json.getBytes(StandardCharsets.UTF_8));
        head.trace().forEach(cloudEvent::withExtension);
        if (!head.instance().isEmpty()) {
            cloudEvent.withExtension(EventEnvelope.PARTITION_KEY, head.instance());
        }
        byte[] key = head.instance().getBytes(StandardCharsets.UTF_8);
        return KafkaMessageFactory.createWriter(topics.history(), key).writeBinary(cloudEvent.build());
    }

    private static Map<String, String> headers(TraceContext trace) {
        var state = trace.tracestate();
        return state == null
                ? Map.of("traceparent", trace.traceparent())
                : Map.of("traceparent", trace.traceparent(), "tracestate", state);
    }

    private static void addHeaders(ProducerRecord<byte[], byte[]> message, Map<String, String> headers) {
        headers.forEach((name, text) -> message.headers().add(name, text.getBytes(StandardCharsets.UTF_8)));
    }

    private static @Nullable String textOrNull(JsonNode document, String field) {
        return document.path(field).textValue();
    }

    /** The record that stores a position. */
    ProducerRecord<byte[], byte[]> position(Position position) {
        return position.record(topics.positions());
    }
}
