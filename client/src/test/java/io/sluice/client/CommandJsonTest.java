package io.sluice.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CommandJsonTest {
    private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    static Stream<Arguments> commands() {
        return Stream.of(
                Arguments.of(
                        new Command.Start("order-17", "Order", "{\"n\":1}"),
                        "{'type':'start','instance':'order-17','orchestration':'Order','input':'{\\'n\\':1}'}"),
                Arguments.of(
                        new Command.Start("order-17", "Order", "1.0.0", ""),
                        "{'type':'start','instance':'order-17','orchestration':'Order','version':'1.0.0','input':''}"),
                Arguments.of(
                        new Command.RaiseEvent("order-17", "approval", "yes"),
                        "{'type':'raiseEvent','instance':'order-17','name':'approval','data':'yes'}"),
                Arguments.of(
                        new Command.EnqueueMessage("order-17", "mail", "hello"),
                        "{'type':'message','instance':'order-17','queue':'mail','data':'hello'}"),
                Arguments.of(
                        new Command.Cancel("order-17", "customer called"),
                        "{'type':'cancel','instance':'order-17','reason':'customer called'}"));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void a_command_is_written_as_the_relay_reads_it(Command command, String json) {
        var message = CommandJson.message("orders.commands", command, "c-1", CommandOptions.DEFAULT, null);

        assertThat(new String(message.value(), UTF_8)).isEqualTo(json.replace('\'', '"'));
        assertThat(new String(message.key(), UTF_8)).isEqualTo("order-17");
        assertThat(message.topic()).isEqualTo("orders.commands");
        assertThat(headers(message)).isEqualTo(Map.of("command-id", "c-1"));
    }

    @Test
    void everything_else_is_in_headers() {
        var options = CommandOptions.ofId("c-1")
                .withDeadline(Instant.parse("2023-11-14T22:13:20.1239Z"))
                .withTrace(TRACE, "vendor=1")
                .withCorrelationId("call-7");

        var message = CommandJson.message("t", new Command.Cancel("o", ""), "c-1", options, "shop.replies");

        assertThat(headers(message))
                .isEqualTo(Map.of(
                        "command-id", "c-1",
                        "reply-topic", "shop.replies",
                        "correlation-id", "call-7",
                        "x-tpf-deadline-epoch-ms", "1700000000123",
                        "traceparent", TRACE,
                        "tracestate", "vendor=1"));
    }

    @Test
    void what_no_document_can_hold_is_refused_by_its_longest_field() {
        var command = new Command.EnqueueMessage("o", "mail", "x".repeat(Command.MAX_BYTES));

        assertThatThrownBy(() -> CommandJson.message("t", command, "c-1", CommandOptions.DEFAULT, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a command must have at most 2000000 bytes of JSON, has 2000058, most of them in data");
    }

    private static Map<String, String> headers(ProducerRecord<byte[], byte[]> message) {
        Map<String, String> headers = new TreeMap<>();
        message.headers().forEach(header -> headers.put(header.key(), new String(header.value(), UTF_8)));
        return headers;
    }
}
