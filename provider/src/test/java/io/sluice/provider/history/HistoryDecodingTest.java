package io.sluice.provider.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.provider.json.Vector;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract lets a Java reader be lenient where Rust is strict (numbers as {@code 7.0} or {@code "7"}). Ours is not:
 * a text that a Rust dispatcher of the same fleet refuses must not be accepted here, or the two would disagree about
 * one history.
 */
class HistoryDecodingTest {
    private static final String COMMON = """
            "event_id":2,"source_event_id":null,"instance_id":"i","execution_id":1,"timestamp_ms":5,\
            "duroxide_version":"0.1.0\"""";

    private static String event(String type, String fields) {
        return "{" + COMMON + ",\"type\":\"" + type + "\"" + (fields.isEmpty() ? "" : "," + fields) + "}";
    }

    private static DecodingException refusal(String json) {
        var refusal = catchThrowableOfType(DecodingException.class, () -> HistoryJson.decode(json));
        assertThat(refusal).as("refusal of %s", json).isNotNull();
        return refusal;
    }

    static Stream<Vector> accepted() {
        return Vector.all("decoding.json")
                .filter(vector -> vector.text("kind").equals("event"))
                .filter(vector -> vector.value("accepted").booleanValue());
    }

    static Stream<Vector> refused() {
        return Vector.all("decoding.json")
                .filter(vector -> vector.text("kind").equals("event"))
                .filter(vector -> !vector.value("accepted").booleanValue());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("accepted")
    void what_rust_accepts_is_accepted(Vector vector) {
        HistoryEvent event = HistoryJson.decode(vector.text("input_string"));

        var known = new HistoryEvent(
                event.eventId(),
                event.sourceEventId(),
                event.instanceId(),
                event.executionId(),
                event.timestampMillis(),
                event.duroxideVersion(),
                event.kind(),
                ExtraFields.NONE);
        assertThat(Vector.parsed(HistoryJson.encode(known)))
                .as("Rust drops unknown fields when it writes, we do not")
                .isEqualTo(vector.value("json"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void what_rust_refuses_is_refused(Vector vector) {
        assertThatExceptionOfType(DecodingException.class)
                .isThrownBy(() -> HistoryJson.decode(vector.text("input_string")));
    }

    @Nested
    class A_refusal {
        @Test
        void names_the_field_the_place_and_what_was_expected() {
            var json = event("TimerCreated", "\"fire_at_ms\":\"soon\"");

            DecodingException refusal = refusal(json);

            assertThat(refusal.path()).isEqualTo("history event.fire_at_ms");
            assertThat(refusal.offset()).isEqualTo(json.indexOf("\"soon\""));
            assertThat(refusal)
                    .hasMessage(
                            "history event.fire_at_ms (at character %d): "
                                    + "expected an unsigned integer, found a string",
                            refusal.offset());
        }

        @Test
        void reaches_into_nested_values() {
            DecodingException refusal = refusal(event(
                    "ActivityFailed",
                    "\"details\":{\"Poison\":{\"attempt_count\":11,\"max_attempts\":10,"
                            + "\"message_type\":{\"Activity\":{\"instance\":7}},\"message\":\"\"}}"));

            assertThat(refusal.path()).isEqualTo("history event.details.Poison.message_type.Activity.instance");
        }

        @Test
        void says_which_field_is_missing_and_from_where() {
            var json = event("ActivityFailed", "\"details\":{\"Infrastructure\":{\"message\":\"m\"}}");

            DecodingException refusal = refusal(json);

            assertThat(refusal.path()).isEqualTo("history event.details.Infrastructure.operation");
            assertThat(refusal.offset()).isEqualTo(json.indexOf("{\"message\""));
        }

        @Test
        void tells_an_unknown_type_by_name() {
            assertThat(refusal(event("FutureThing", "")))
                    .hasMessageEndingWith("expected a known event type, found FutureThing");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{\"type\":\"my secret, not a type\"}",
                    "{\"my secret\":1,\"my secret\":2}",
                    "my secret",
                    "{\"event_id\": my secret}"
                })
        void never_quotes_what_may_be_payload(String json) {
            DecodingException refusal = refusal(json);

            assertThat(refusal).hasMessageNotContaining("my secret");
            assertThat(refusal).hasStackTraceContaining("JsonFault");
            assertThat(refusal.getCause()).hasMessageNotContaining("my secret").hasNoCause();
        }
    }

    @Nested
    class Numbers {
        @ParameterizedTest
        @CsvSource({"0, 0", "9223372036854775807, 9223372036854775807", "18446744073709551615, -1"})
        void of_64_bits_are_read_without_loss(String digits, long bits) {
            HistoryEvent event = HistoryJson.decode(event("TimerCreated", "\"fire_at_ms\":" + digits));

            assertThat(event.kind()).isEqualTo(new EventKind.TimerCreated(bits));
            assertThat(HistoryJson.encode(event)).endsWith("\"fire_at_ms\":" + digits + "}");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "18446744073709551616",
                    "99999999999999999999",
                    "100000000000000000000000000",
                    "-1",
                    "-0",
                    "7.0",
                    "7e0",
                    "1e3",
                    "\"7\"",
                    "true",
                    "null",
                    "[7]"
                })
        void that_are_not_unsigned_64_bit_are_refused(String number) {
            assertThat(refusal(event("TimerCreated", "\"fire_at_ms\":" + number))
                            .path())
                    .isEqualTo("history event.fire_at_ms");
        }

        @ParameterizedTest
        @ValueSource(strings = {"07", "+7", "0x7", ".7", "7.", "NaN", "Infinity"})
        void that_are_not_json_are_refused(String number) {
            assertThat(refusal(event("TimerCreated", "\"fire_at_ms\":" + number)))
                    .hasMessageContaining("not well-formed JSON");
        }

        @Test
        void of_attempts_have_32_bits() {
            var poison = "\"details\":{\"Poison\":{\"attempt_count\":%s,\"max_attempts\":10,"
                    + "\"message_type\":{\"Orchestration\":{\"instance\":\"i\",\"execution_id\":1}},\"message\":\"\"}}";

            HistoryEvent largest = HistoryJson.decode(event("ActivityFailed", poison.formatted("4294967295")));
            DecodingException refusal = refusal(event("ActivityFailed", poison.formatted("4294967296")));

            assertThat(HistoryJson.encode(largest)).contains("\"attempt_count\":4294967295");
            assertThat(refusal.path()).isEqualTo("history event.details.Poison.attempt_count");
        }
    }

    @Nested
    class Nulls {
        @ParameterizedTest
        @ValueSource(strings = {"event_id", "instance_id", "execution_id", "timestamp_ms", "duroxide_version", "type"})
        void do_not_stand_for_required_fields(String field) {
            var json = event("TimerCreated", "\"fire_at_ms\":7")
                    .replaceFirst("\"" + field + "\":(\"[^\"]*\"|[0-9]+)", "\"" + field + "\":null");

            assertThat(refusal(json).path()).isEqualTo("history event." + field);
        }
    }

    @Nested
    class Error_values {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{}",
                    "null",
                    "\"Infrastructure\"",
                    "{\"Mystery\":{}}",
                    "{\"Infrastructure\":null}",
                    "{\"Infrastructure\":{\"operation\":\"o\",\"message\":\"m\",\"retryable\":\"yes\"}}",
                    "{\"Infrastructure\":[\"o\",\"m\",true,1]}",
                    "{\"Configuration\":{\"kind\":\"Other\",\"resource\":\"r\",\"message\":null}}",
                    "{\"Configuration\":{\"kind\":{},\"resource\":\"r\",\"message\":null}}",
                    "{\"Application\":{\"kind\":\"Cancelled\",\"message\":\"m\",\"retryable\":false}}",
                    "{\"Application\":{\"kind\":{\"Panicked\":{}},\"message\":\"m\",\"retryable\":false}}",
                    "{\"Application\":{\"kind\":\"Panicked\",\"message\":null,\"retryable\":false}}",
                    "{\"Infrastructure\":{\"operation\":\"o\",\"message\":\"m\",\"retryable\":true},\"Poison\":{}}"
                })
        void of_another_form_are_refused(String details) {
            assertThat(refusal(event("ActivityFailed", "\"details\":" + details))
                            .path())
                    .startsWith("history event.details");
        }

        @Test
        void may_have_their_fields_in_an_array_and_unknown_ones_as_in_rust() {
            var asArray = event("ActivityFailed", "\"details\":{\"Infrastructure\":[\"o\",\"m\",true]}");
            var withMore = event(
                    "ActivityFailed",
                    "\"details\":{\"Infrastructure\":"
                            + "{\"new\":1,\"operation\":\"o\",\"message\":\"m\",\"retryable\":true}}");

            var expected = new EventKind.ActivityFailed(new ErrorDetails.Infrastructure("o", "m", true));

            assertThat(HistoryJson.decode(asArray).kind()).isEqualTo(expected);
            assertThat(HistoryJson.decode(withMore).kind()).isEqualTo(expected);
        }
    }
}
