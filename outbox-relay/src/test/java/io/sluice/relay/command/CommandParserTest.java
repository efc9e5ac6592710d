package io.sluice.relay.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.work.WorkItem;
import io.sluice.relay.command.parse.CommandIdentity;
import io.sluice.relay.command.parse.CommandParser;
import io.sluice.relay.command.parse.ParsedCommand;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CommandParserTest {
    private static ConsumerRecord<byte[], byte[]> message(byte[] value) {
        return new ConsumerRecord<>("orders.commands", 3, 42, "order-1".getBytes(UTF_8), value);
    }

    private static ParsedCommand parsed(ConsumerRecord<byte[], byte[]> message) {
        return CommandParser.parse(message, "AAAAAAAAAAAAAAAAAAAAAQ");
    }

    private static ParsedCommand parse(String json) {
        return parsed(message(json.getBytes(UTF_8)));
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
    void a_message_goes_into_the_queue_that_it_names() {
        assertThat(item("{\"type\":\"message\",\"instance\":\"order-1\",\"queue\":\"mail\",\"data\":\"5\"}"))
                .isEqualTo(new WorkItem.QueueMessage("order-1", "mail", "5"));
    }

    @Test
    void a_tombstone_is_no_command() {
        assertThat(reason(parsed(new ConsumerRecord<>("orders.commands", 3, 42, "order-1".getBytes(UTF_8), null))))
                .contains("no value");
    }

    @ParameterizedTest(name = "{0} = {1}")
    @CsvSource({
        "ce_id, '', has no value",
        "ce_id, \u00e9 in latin 1, is not UTF-8",
        "command-id, '', has no value",
        "x-tpf-deadline-epoch-ms, tomorrow, must be milliseconds",
        "x-tpf-deadline-epoch-ms, -5, must be milliseconds",
        "reply-topic, a b, must be a topic's name",
        "reply-topic, .., must be a topic's name",
    })
    void a_header_that_says_nothing_usable_makes_a_bad_command_and_is_named(String name, String value, String why) {
        var message = cancel();
        message.headers().add(name, value.getBytes(ISO_8859_1));

        assertThat(reason(parsed(message))).contains(name).contains(why);
    }

    @Test
    void a_header_without_value_or_there_twice_makes_a_bad_command() {
        var nothing = cancel();
        nothing.headers().add("ce_id", (byte[]) null);
        assertThat(reason(parsed(nothing))).contains("ce_id has no value");
        assertThat(parsed(nothing).commandId()).isEqualTo("orders.commands:AAAAAAAAAAAAAAAAAAAAAQ:3-42");

        var twice = cancel();
        twice.headers().add("ce_id", "a".getBytes(UTF_8)).add("ce_id", "b".getBytes(UTF_8));
        assertThat(reason(parsed(twice))).contains("ce_id is there more than once");
    }

    @Test
    void a_trace_that_is_malformed_is_none() {
        var good = cancel();
        good.headers().add("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".getBytes(UTF_8));
        var bad = cancel();
        bad.headers().add("traceparent", "00-00000000000000000000000000000000-00f067aa0ba902b7-01".getBytes(UTF_8));

        assertThat(parsed(good))
                .isInstanceOfSatisfying(
                        ParsedCommand.Valid.class,
                        valid -> assertThat(valid.headers().trace()).isNotNull());
        assertThat(parsed(bad))
                .isInstanceOfSatisfying(
                        ParsedCommand.Valid.class,
                        valid -> assertThat(valid.headers().trace()).isNull());
    }

    private static ConsumerRecord<byte[], byte[]> cancel() {
        return message("{\"type\":\"cancel\",\"instance\":\"i\",\"reason\":\"\"}".getBytes(UTF_8));
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
        assertThat(parsed(message).commandId()).isEqualTo("orders.commands:AAAAAAAAAAAAAAAAAAAAAQ:3-42");

        message.headers().add("command-id", "c-1".getBytes(UTF_8));
        assertThat(parsed(message).commandId()).isEqualTo("c-1");

        message.headers().add("ce_id", "ce-1".getBytes(UTF_8));
        assertThat(parsed(message).commandId()).isEqualTo("ce-1");
    }

    @Test
    void an_id_counts_with_the_cloud_events_source_and_is_shown_as_its_sender_wrote_it() {
        var ofShop = cancel();
        ofShop.headers().add("ce_id", "1".getBytes(UTF_8)).add("ce_source", "/shop".getBytes(UTF_8));
        var ofNobody = cancel();
        ofNobody.headers().add("ce_id", "1".getBytes(UTF_8));
        var source = cancel();
        source.headers().add("command-id", "1".getBytes(UTF_8)).add("ce_source", "/shop".getBytes(UTF_8));

        assertThat(identity(ofShop)).isEqualTo(new CommandIdentity("1", "ce:5:/shop:1", "1", false));
        assertThat(identity(ofNobody)).isEqualTo(new CommandIdentity("1", "1", null, false));
        assertThat(identity(source)).as("no CloudEvent's id").isEqualTo(identity(ofNobody));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "orders.commands:AAAAAAAAAAAAAAAAAAAAAQ:3-42",
                "ce:5:/shop:1",
                "resent:40:orders.commands:AAAAAAAAAAAAAAAAAAAAAQ:3-42:1",
                "id:ce:5:/shop:1"
            })
    void an_id_that_is_written_like_the_key_of_another_command_is_not_that_key(String id) {
        var message = cancel();
        message.headers().add("command-id", id.getBytes(UTF_8));

        assertThat(identity(message)).isEqualTo(new CommandIdentity(id, "id:" + id, null, false));
    }

    private static CommandIdentity identity(ConsumerRecord<byte[], byte[]> message) {
        return ((ParsedCommand.Valid) parsed(message)).identity();
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
                "{\"type\":\"explode\",\"instance\":\"i\"}              | type must be start, raiseEvent, message or cancel",
                "{\"type\":\"start\",\"instance\":\"i\",\"orchestration\":\"o\",\"input\":{}} | input must be a string",
                "{\"type\":\"start\",\"instance\":\"i\",\"orchestration\":\"o\",\"input\":\"\",\"version\":1} | version must be a string",
                "{\"type\":\"cancel\",\"instance\":\"i\",\"reason\":\"\\ud800\"} | reason holds half of a surrogate pair, which no UTF-8 can carry, at character 0",
                "{\"type\":\"cancel\",\"instance\":\"a\\udc00\",\"reason\":\"\"} | instance holds half of a surrogate pair, which no UTF-8 can carry, at character 1",
            })
    void what_is_no_command_says_why(String json, String why) {
        assertThat(reason(parse(json))).contains(why);
    }

    @Test
    void a_record_without_value_says_why() {
        assertThat(reason(parsed(message(new byte[0])))).contains("no value");
    }

    @Test
    void bytes_that_are_not_utf_8_say_why() {
        assertThat(reason(parsed(message(new byte[] {(byte) 0xC3, 0x28})))).contains("not UTF-8");
    }

    @Test
    void what_no_document_can_hold_says_why() {
        assertThat(reason(parsed(message(new byte[CommandParser.MAX_BYTES + 1]))))
                .contains("too large");
    }

    @Test
    void what_is_beyond_the_parsers_limits_is_a_bad_command_and_stops_nobody() {
        for (var value : List.of("[".repeat(2_000), "{\"a\":".repeat(2_000), "{\"a\":" + "1".repeat(2_000) + "}")) {
            assertThat(reason(parse(value))).startsWith("the command is not JSON: ");
        }
    }
}
