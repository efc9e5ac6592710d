package io.sluice.relay.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cloudevents.kafka.KafkaMessageFactory;
import io.sluice.provider.history.HistoryJson;
import io.sluice.relay.topic.Topics;
import java.net.URI;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HistoryRecordsTest {
    private static final String STARTED = "{\"event_id\":1,\"source_event_id\":null,\"instance_id\":\"order-1\","
            + "\"execution_id\":2,\"timestamp_ms\":1700000000123,\"duroxide_version\":\"0.1.32\","
            + "\"type\":\"ExternalEvent\",\"name\":\"paid\",\"data\":\"é\"}";

    private final HistoryRecords records =
            new HistoryRecords(new Topics("orders"), URI.create("cosmos://account/db/container"));

    private static ObjectNode document(String type) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", "order-1:history:2:1")
                .put("instanceId", "order-1")
                .put("type", type)
                .put("executionId", 2)
                .put("eventId", 1)
                .put("_ts", 1_700_000_001);
    }

    private static String header(ProducerRecord<byte[], byte[]> message, String name) {
        var header = message.headers().lastHeader(name);
        return header == null ? "" : new String(header.value(), UTF_8);
    }

    private ProducerRecord<byte[], byte[]> only(JsonNode document) {
        var made = records.of(List.of(document));
        assertThat(made).hasSize(1);
        return made.get(0);
    }

    @Test
    void an_event_becomes_a_cloud_event_in_binary_mode() {
        var message = only(document("history").put("eventData", STARTED));

        assertThat(message.topic()).isEqualTo("orders.history");
        assertThat(new String(message.key(), UTF_8)).isEqualTo("order-1");
        assertThat(new String(message.value(), UTF_8)).as("exactly as stored").isEqualTo(STARTED);
        assertThat(header(message, "ce_specversion")).isEqualTo("1.0");
        assertThat(header(message, "ce_id")).isEqualTo("order-1:2:1:1700000000123");
        assertThat(header(message, "ce_type")).isEqualTo("io.sluice.history.ExternalEvent");
        assertThat(header(message, "ce_source")).isEqualTo("cosmos://account/db/container");
        assertThat(header(message, "ce_subject")).isEqualTo("order-1");
        assertThat(header(message, "ce_time")).isEqualTo("2023-11-14T22:13:20.123Z");
        assertThat(header(message, "content-type")).isEqualTo("application/json");
    }

    @Test
    void a_cloud_events_reader_understands_it() {
        var message = only(document("history").put("eventData", STARTED));

        var event = KafkaMessageFactory.createReader(message.headers(), message.value())
                .toEvent();

        assertThat(event.getType()).isEqualTo("io.sluice.history.ExternalEvent");
    }

    @Test
    void an_event_that_names_another_instance_is_published_as_its_partitions() {
        var foreign = STARTED.replace("order-1", "order-2").replace("{", "{\"ofANewerRelease\":1.10e+400,");

        var message = only(document("history").put("eventData", foreign));

        assertThat(new String(message.key(), UTF_8)).isEqualTo("order-1");
        assertThat(header(message, "ce_subject")).isEqualTo("order-1");
        assertThat(header(message, "ce_id")).isEqualTo("order-1:2:1:1700000000123");
        var published = HistoryJson.decode(new String(message.value(), UTF_8));
        assertThat(published).isEqualTo(HistoryJson.decode(foreign).ofInstance("order-1"));
        assertThat(published.extras().jsonByName()).containsEntry("ofANewerRelease", "1.10e+400");
    }

    @Test
    void an_event_of_another_instance_that_can_not_be_decoded_has_its_partitions_key_and_its_own_text() {
        var future = STARTED.replace("order-1", "order-2").replace("ExternalEvent", "WalkedOnTheMoon");

        var message = only(document("history").put("eventData", future));

        assertThat(new String(message.key(), UTF_8)).isEqualTo("order-1");
        assertThat(header(message, "ce_subject")).isEqualTo("order-1");
        assertThat(new String(message.value(), UTF_8)).isEqualTo(future);
    }

    @Test
    void an_event_of_a_type_not_known_is_published_as_unknown_with_its_text() {
        var future = STARTED.replace("ExternalEvent", "WalkedOnTheMoon");

        var message = only(document("history").put("eventData", future));

        assertThat(header(message, "ce_type")).isEqualTo("io.sluice.history.unknown");
        assertThat(new String(message.value(), UTF_8)).isEqualTo(future);
    }

    @Test
    void an_event_that_is_not_json_is_published_as_unknown_with_its_text() {
        var message = only(document("history").put("eventData", "{torn"));

        assertThat(header(message, "ce_type")).isEqualTo("io.sluice.history.unknown");
        assertThat(header(message, "ce_id")).as("the store's time stands in").isEqualTo("order-1:2:1:1700000001000");
        assertThat(new String(message.value(), UTF_8)).isEqualTo("{torn");
    }

    @Test
    void a_history_document_without_event_is_published_whole() {
        var document = document("history");

        var message = only(document);

        assertThat(header(message, "ce_type")).isEqualTo("io.sluice.history.unknown");
        assertThat(new String(message.value(), UTF_8)).isEqualTo(document.toString());
    }

    @Test
    void a_document_of_nobody_is_still_published() {
        var message = only(JsonNodeFactory.instance.objectNode().put("type", "history"));

        assertThat(header(message, "ce_type")).isEqualTo("io.sluice.history.unknown");
    }

    @Test
    void the_metadata_of_a_dispatch_stands_on_every_event_and_is_the_same_when_it_is_published_again() {
        var document = document("history").put("eventData", STARTED);

        assertThat(only(document).headers()).isEqualTo(only(document).headers());
        assertThat(header(only(document), "x-tpf-correlation-id")).isEqualTo("order-1");
        assertThat(header(only(document), "x-tpf-execution-id")).isEqualTo("order-1:2");
        assertThat(header(only(document), "x-tpf-idempotency-key")).isEqualTo("order-1:2:1:1700000000123");
        assertThat(header(only(document), "x-tpf-retry-attempt")).isEqualTo("0");
        assertThat(header(only(document), "x-tpf-dispatch-ts-epoch-ms")).isEqualTo("1700000000123");
    }

    @Test
    void a_trace_in_the_document_goes_along() {
        var trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        var document = document("history").put("eventData", STARTED).put("traceparent", trace);

        assertThat(header(only(document), "traceparent")).isEqualTo(trace);
        assertThat(header(only(document.put("traceparent", "nonsense")), "traceparent"))
                .isEmpty();
    }

    @Test
    void an_instance_that_was_deleted_has_a_last_event_and_one_that_waits_has_none() {
        var waiting = document("purge").put("id", "purge:order-1:u-1").put("createdAt", 7);
        var gone = waiting.deepCopy().put("deleted", true);

        assertThat(records.of(List.of(waiting.put("deleted", false)))).isEmpty();
        var message = only(gone);
        assertThat(header(message, "ce_type")).isEqualTo("io.sluice.instance.deleted");
        assertThat(header(message, "ce_id")).as("of this life").isEqualTo("order-1:deleted:u-1");
        assertThat(new String(message.key(), UTF_8)).isEqualTo("order-1");
        assertThat(new String(message.value(), UTF_8))
                .as("the instance is where events have it, too")
                .isEqualTo("{\"instance_id\":\"order-1\",\"instance\":\"order-1\",\"deleted_at_ms\":7}");
    }

    @Test
    void a_purge_document_without_its_fields_is_left_out() {
        assertThat(records.of(List.of(JsonNodeFactory.instance
                        .objectNode()
                        .put("type", "purge")
                        .put("deleted", true))))
                .isEmpty();
    }

    @Test
    void a_time_that_no_calendar_holds_is_published_all_the_same() {
        var far = STARTED.replace("1700000000123", String.valueOf(Long.MAX_VALUE));

        var message = only(document("history").put("eventData", far));

        assertThat(header(message, "ce_time")).isEqualTo("9999-12-31T23:59:59.999Z");
        assertThat(KafkaMessageFactory.createReader(message.headers(), message.value())
                        .toEvent()
                        .getTime())
                .isNotNull();
    }

    @Test
    void everything_else_in_the_container_is_left_out() {
        var documents = List.<JsonNode>of(
                document("instance"),
                document("outbox_intent"),
                document("orch_queue"),
                document("receipt"),
                JsonNodeFactory.instance.objectNode());

        assertThat(records.of(documents)).isEmpty();
    }

    @Test
    void events_keep_the_order_of_the_page() {
        var second = document("history").put("eventData", STARTED.replace("\"event_id\":1", "\"event_id\":2"));
        var first = document("history").put("eventData", STARTED);

        assertThat(records.of(List.of(first, document("instance"), second)))
                .extracting(message -> header(message, "ce_id"))
                .containsExactly("order-1:2:1:1700000000123", "order-1:2:2:1700000000123");
    }
}
