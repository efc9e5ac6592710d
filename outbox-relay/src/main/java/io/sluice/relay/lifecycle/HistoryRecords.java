package io.sluice.relay.lifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.kafka.KafkaMessageFactory;
import io.sluice.provider.history.DecodingException;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import io.sluice.relay.ops.LogKeys;
import io.sluice.relay.ops.Topics;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes Kafka records of feed documents: history events by the CloudEvents Kafka binding (binary mode), positions as
 * JSON. Everything that isn't history is left out. Thread-safe.
 *
 * <p>A history record: key = instance id; value = the event's JSON exactly as stored; {@code ce_id} =
 * {@code <instance>:<execution>:<event>:<event timestamp>}; {@code ce_type} = {@code io.sluice.history.<type>}, or
 * {@code io.sluice.history.unknown} when this version can't decode it; {@code ce_subject} = instance id;
 * {@code ce_source} names account, database and container.
 */
final class HistoryRecords {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryRecords.class);
    static final String TYPE_PREFIX = "io.sluice.history.";
    static final String UNKNOWN = "unknown";
    private static final String CONTENT_TYPE = "application/json";

    private final Topics topics;
    private final URI source;

    HistoryRecords(Topics topics, URI source) {
        this.topics = topics;
        this.source = source;
    }

    /** The events among the documents, in their order. */
    List<ProducerRecord<byte[], byte[]>> of(List<JsonNode> documents) {
        return documents.stream()
                .filter(HistoryRecords::isEvent)
                .map(this::event)
                .toList();
    }

    /** Whether a record is made of this document. */
    static boolean isEvent(JsonNode document) {
        return document.path("type").asText().equals("history");
    }

    private ProducerRecord<byte[], byte[]> event(JsonNode document) {
        var event = StoredEvent.of(document);
        CloudEvent cloudEvent = CloudEventBuilder.v1()
                .withId(event.instance() + ":" + event.execution() + ":" + event.event() + ":"
                        + event.timestampMillis())
                .withSource(source)
                .withType(TYPE_PREFIX + event.type())
                .withSubject(event.instance())
                .withTime(Instant.ofEpochMilli(event.timestampMillis()).atOffset(ZoneOffset.UTC))
                .withDataContentType(CONTENT_TYPE)
                .withData(event.json().getBytes(StandardCharsets.UTF_8))
                .build();
        byte[] key = event.instance().getBytes(StandardCharsets.UTF_8);
        return KafkaMessageFactory.createWriter(topics.history(), key).writeBinary(cloudEvent);
    }

    /** The record that moves a range on. */
    ProducerRecord<byte[], byte[]> position(RangeId id, Position position) {
        return new ProducerRecord<>(topics.positions(), id.index(), id.recordKey(), position.encode());
    }

    /** What of a history document goes into its record; every document gives one, whatever is wrong with it. */
    private record StoredEvent(
            String instance, long execution, long event, long timestampMillis, String type, String json) {

        static StoredEvent of(JsonNode document) {
            var stored = document.path("eventData");
            if (!stored.isTextual()) {
                return unknown(document, document.toString());
            }
            var json = stored.textValue();
            try {
                HistoryEvent event = HistoryJson.decode(json);
                return new StoredEvent(
                        document.path("instanceId").asText(),
                        event.executionId(),
                        event.eventId(),
                        event.timestampMillis(),
                        event.type(),
                        json);
            } catch (DecodingException e) {
                LOG.atWarn()
                        .addKeyValue(
                                LogKeys.INSTANCE, document.path("instanceId").asText())
                        .addKeyValue(LogKeys.REASON, e.getMessage())
                        .log("history event can't be decoded, published as unknown");
                return unknown(document, json);
            }
        }

        private static StoredEvent unknown(JsonNode document, String json) {
            return new StoredEvent(
                    document.path("instanceId").asText(),
                    document.path("executionId").asLong(),
                    document.path("eventId").asLong(),
                    document.path("_ts").asLong() * 1_000,
                    UNKNOWN,
                    json);
        }
    }
}
