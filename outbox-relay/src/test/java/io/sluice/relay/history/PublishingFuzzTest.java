package io.sluice.relay.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.relay.event.StoredEvent;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.fuzz.Fuzz;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What the relay finds in the feed and in its own topic of positions. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PublishingFuzzTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String EVENT =
            "{\"id\":\"order-1:history:2:1\",\"instanceId\":\"order-1\",\"type\":\"history\",\"executionId\":2,\"eventId\":1,"
                    + "\"_ts\":1700000001,\"traceparent\":\"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\","
                    + "\"eventData\":\"{\\\"event_id\\\":1,\\\"source_event_id\\\":null,\\\"instance_id\\\":\\\"order-1\\\","
                    + "\\\"execution_id\\\":2,\\\"timestamp_ms\\\":1700000000123,\\\"duroxide_version\\\":\\\"0.1.32\\\","
                    + "\\\"type\\\":\\\"ExternalEvent\\\",\\\"name\\\":\\\"paid\\\",\\\"data\\\":\\\"5\\\"}\"}";
    private static final String DELETION = "{\"id\":\"purge:order-1:0f0e0d0c-0b0a-4908-8706-050403020100\","
            + "\"instanceId\":\"order-1\",\"type\":\"purge\",\"schemaVersion\":1,\"deleted\":true,\"createdAt\":5}";

    @Test
    void every_damaged_history_document_makes_a_record() {
        var records = new HistoryRecords(new Topics("orders"), URI.create("cosmos://account/db/container"));
        Fuzz.of("documents of the feed", List.of(EVENT, DELETION))
                .refusedBy(JsonProcessingException.class) // that is this test's own reader
                .read(text -> {
                    var document = JSON.readTree(text);
                    var made = records.of(List.of(document));
                    assertThat(made.size()).isGreaterThanOrEqualTo(StoredEvent.isOne(document) ? 1 : 0);
                    made.forEach(each ->
                            assertThat(each.headers().lastHeader("ce_id")).isNotNull());
                });
    }

    @Test
    void a_damaged_position_is_refused_or_read_consistently() {
        var id = TestRanges.range(1, 4, "rid");
        var beginning = Position.beginning(id, "topic-1");
        var examples = List.of(
                new String(beginning.encode(), UTF_8),
                new String(beginning.at("continuation").encode(), UTF_8),
                new String(beginning.since(Instant.EPOCH).encode(), UTF_8));

        Fuzz.of("positions", examples).refusedBy(PositionRefusedException.class).rewritten(text -> {
            var position =
                    Position.parse(text.getBytes(UTF_8)).orElseThrow(() -> new PositionRefusedException("no position"));
            position.requireRange(id);
            return new String(position.encode(), UTF_8);
        });
    }
}
