package io.sluice.relay.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.work.WorkItemJson;
import io.sluice.relay.command.parse.CommandParser;
import io.sluice.relay.command.parse.ParsedCommand;
import io.sluice.testkit.fuzz.Fuzz;
import java.nio.charset.Charset;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * Commands of strangers: each is valid, and then something that the store's readers take, or bad, with a reason.
 * Nothing is thrown: that would stop a partition.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CommandFuzzTest {
    private static final List<String> COMMANDS = List.of(
            "{\"type\":\"start\",\"instance\":\"order-1\",\"orchestration\":\"Order\",\"version\":\"1.0.0\",\"input\":\"{}\"}",
            "{\"type\":\"raiseEvent\",\"instance\":\"order-1\",\"name\":\"paid\",\"data\":\"5\"}",
            "{\"type\":\"message\",\"instance\":\"order-1\",\"queue\":\"mail\",\"data\":\"5\"}",
            "{\"type\":\"cancel\",\"instance\":\"order-1\",\"reason\":\"late\"}");
    private static final List<String> HEADERS = List.of(
            "ce_id=c-1",
            "command-id=c-1",
            "x-tpf-deadline-epoch-ms=1767225600000",
            "reply-topic=shop.replies",
            "correlation-id=call-7",
            "traceparent=00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "tracestate=vendor=1");

    @Test
    void a_damaged_command_is_valid_or_bad() {
        Fuzz.of("commands in UTF-8", COMMANDS).read(text -> judge(message(text, UTF_8)));
        Fuzz.of("commands in other bytes", COMMANDS).read(text -> judge(message(text, ISO_8859_1)));
    }

    @Test
    void a_damaged_header_is_left_alone_or_bad() {
        Fuzz.of("headers of commands", HEADERS).read(text -> {
            var message = message(COMMANDS.get(0), UTF_8);
            text.lines().forEach(line -> {
                int equals = line.indexOf('=');
                message.headers()
                        .add(
                                equals < 0 ? line : line.substring(0, equals),
                                equals < 0 ? null : line.substring(equals + 1).getBytes(UTF_8));
            });
            judge(message);
        });
    }

    private static ConsumerRecord<byte[], byte[]> message(String value, Charset charset) {
        return new ConsumerRecord<>("orders.commands", 3, 42, "order-1".getBytes(UTF_8), value.getBytes(charset));
    }

    private static void judge(ConsumerRecord<byte[], byte[]> message) {
        var parsed = CommandParser.parse(message, "");
        if (parsed instanceof ParsedCommand.Valid valid) {
            assertThat(WorkItemJson.decode(WorkItemJson.encode(valid.item()))).isEqualTo(valid.item());
        } else {
            assertThat(((ParsedCommand.Bad) parsed).reason()).isNotBlank();
        }
        assertThat(parsed.commandId()).isNotEmpty();
    }
}
