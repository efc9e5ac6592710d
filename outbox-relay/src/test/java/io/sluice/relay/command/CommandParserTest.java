package io.sluice.relay.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.work.WorkItem;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CommandParserTest {
    private static ConsumerRecord<byte[], byte[]> message(byte[] value) {
        return new ConsumerRecord<>("orders.commands", 3, 42, "order-1".getBytes(UTF_8), value);
    }

    private static ParsedCommand parse(String json) {
        return CommandParser.parse(message(json.getBytes(UTF_8)));
    }

    private static WorkItem item(String json) {
        var parsed = parse(json);
        assertThat(parsed).isInstanceOf(ParsedCommand.Valid.class);
        return ((ParsedCommand.Valid) parsed).item();
    }

    private static String reason(ParsedCommand parsed) {
        assertThat(parsed).isInstanceOf(ParsedCommand.Bad.class);
        return ((ParsedCommand.Bad) parsed).reason();
    }

    @Test
    void a_start_becomes_the_message_that_starts_an_orchestration() {
        var item = item("{\"type\":\"start\",\"instance\":\"order-1\",\"orchestration\":\"Fulfil\","
                + "\"version\":\"1.0.0\",\"input\":\"{}\"}");

        assertThat(item)
                .isEqualTo(new WorkItem.StartOrchestration("order-1", "Fulfil", "{}", "1.0.0", null, null, null, 1));
    }

    @Test
    void the_version_may_be_left_out() {
        var item = item("{\"type\":\"start\",\"instance\":\"order-1\",\"orchestration\":\"Fulfil\",\"input\":\"\"}");

        assertThat(((WorkItem.StartOrchestration) item).version()).isNull();
    }

    @Test
    void an_event_is_raised() {
        assertThat(item("{\"type\":\"raiseEvent\",\"instance\":\"order-1\",\"name\":\"paid\",\"data\":\"5\"}"))
                .isEqualTo(new WorkItem.ExternalRaised("order-1", "paid", "5"));
    }

    @Test
    void an_instance_is_cancelled() {
        assertThat(item("{\"type\":\"cancel\",\"instance\":\"order-1\",\"reason\":\"changed my mind\"}"))
                .isEqualTo(new WorkItem.CancelInstance("order-1", "changed my mind"));
    }

    @Test
    void fields_of_later_versions_are_ignored() {
        assertThat(parse("{\"type\":\"cancel\",\"instance\":\"order-1\",\"reason\":\"\",\"priority\":9}"))
                .isInstanceOf(ParsedCommand.Valid.class);
    }

    @Test
    void the_id_is_the_cloud_events_id_before_the_plain_header_before_the_place() {
        var message = message("{}".getBytes(UTF_8));
        assertThat(CommandParser.parse(message).commandId()).isEqualTo("orders.commands-3-42");

        message.headers().add("command-id", "c-1".getBytes(UTF_8));
        assertThat(CommandParser.parse(message).commandId()).isEqualTo("c-1");

        message.headers().add("ce_id", "ce-1".getBytes(UTF_8));
        assertThat(CommandParser.parse(message).commandId()).isEqualTo("ce-1");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "not json at all                                        | not JSON",
                "{\"type\":\"cancel\"                                   | not JSON",
                "{\"type\":\"cancel\"} {}                               | not JSON",
                "{\"type\":\"cancel\",\"type\":\"start\"}               | not JSON",
                "[1]                                                    | must be a JSON object, was array",
                "{}                                                     | type is missing",
                "{\"type\":7,\"instance\":\"i\"}                        | type must be a string",
                "{\"type\":\"cancel\"}                                  | instance is missing",
                "{\"type\":\"cancel\",\"instance\":\"\"}                | instance must not be empty",
                "{\"type\":\"cancel\",\"instance\":7}                   | instance must be a string",
                "{\"type\":\"cancel\",\"instance\":\"i\"}               | reason is missing",
                "{\"type\":\"explode\",\"instance\":\"i\"}              | type must be start, raiseEvent or cancel",
                "{\"type\":\"start\",\"instance\":\"i\",\"orchestration\":\"o\",\"input\":{}} | input must be a string",
                "{\"type\":\"start\",\"instance\":\"i\",\"orchestration\":\"o\",\"input\":\"\",\"version\":1} | version must be a string",
                "{\"type\":\"cancel\",\"instance\":\"i\",\"reason\":\"\\ud800\"} | surrogate",
            })
    void what_is_no_command_says_why(String json, String why) {
        assertThat(reason(parse(json))).contains(why);
    }

    @Test
    void a_record_without_value_says_why() {
        assertThat(reason(CommandParser.parse(message(new byte[0])))).contains("no value");
    }

    @Test
    void bytes_that_are_not_utf_8_say_why() {
        assertThat(reason(CommandParser.parse(message(new byte[] {(byte) 0xC3, 0x28}))))
                .contains("not UTF-8");
    }

    @Test
    void what_no_document_can_hold_says_why() {
        assertThat(reason(CommandParser.parse(message(new byte[CommandParser.MAX_BYTES + 1]))))
                .contains("too large");
    }
}
