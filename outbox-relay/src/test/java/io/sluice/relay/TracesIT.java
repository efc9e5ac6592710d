package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/** What a tracing backend sees of a relay. */
@Isolated("the backend is the JVM's: relays of other tests would be seen, too")
class TracesIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    @RegisterExtension
    static final OpenTelemetryExtension traces = OpenTelemetryExtension.create();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String PARENT = "00f067aa0ba902b7";
    private static final String TRACEPARENT = "00-" + TRACE + "-" + PARENT + "-01";

    private static List<SpanData> spans(String name) {
        return traces.getSpans().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
    }

    private static String text(SpanData span, String attribute) {
        return String.valueOf(span.getAttributes().get(AttributeKey.stringKey(attribute)));
    }

    @Test
    void deliveries_and_commands_go_on_with_the_trace_that_asked_and_pages_stand_alone() throws Exception {
        try (var store = TestStore.provisioned(cosmos);
                var relay = OutboxRelay.builder()
                        .config(TestConfig.of(store, kafka))
                        .build()) {
            relay.start();
            var topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());
            store.writeTraced("parent", "child", 1, TRACEPARENT);
            store.writePoison("poisoned", "child", 2);
            store.writeHistory("parent", 1, 3);
            var command = "{\"type\":\"cancel\",\"instance\":\"told\",\"reason\":\"r\"}";
            topics.send("told", command, Map.of("ce_id", "c-1", "traceparent", TRACEPARENT));
            await().atMost(PATIENCE)
                    .until(() -> spans("deliver intent").size() >= 2
                            && !spans("publish history").isEmpty()
                            && !spans("settle command").isEmpty());

            assertThat(spans("deliver intent"))
                    .filteredOn(span -> text(span, "sluice.source").equals("parent"))
                    .singleElement()
                    .returns(TRACE, SpanData::getTraceId)
                    .returns(PARENT, SpanData::getParentSpanId)
                    .returns("delivered", span -> text(span, "sluice.outcome"))
                    .returns("child", span -> text(span, "sluice.target"));
            assertThat(spans("deliver intent"))
                    .filteredOn(span -> text(span, "sluice.source").equals("poisoned"))
                    .isNotEmpty()
                    .allMatch(span -> span.getStatus().equals(StatusData.error()));
            assertThat(spans("settle command"))
                    .singleElement()
                    .returns(TRACE, SpanData::getTraceId)
                    .returns("queued", span -> text(span, "sluice.outcome"))
                    .returns("c-1", span -> text(span, "sluice.command"));
            assertThat(spans("publish history"))
                    .allSatisfy(span -> assertThat(span.getParentSpanContext()).isEqualTo(SpanContext.getInvalid()))
                    .extracting(span -> span.getAttributes().get(AttributeKey.longKey("sluice.events")))
                    .containsExactly(3L);
        }
    }
}
