package io.sluice.provider.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
    private static String nested(int levels) {
        return "[".repeat(levels) + "]".repeat(levels);
    }

    @Test
    void nesting_is_read_down_to_the_limit_of_rust_and_no_deeper() {
        assertThat(JsonOutput.text(JsonValue.parse(nested(127), "text"))).isEqualTo(nested(127));
        assertThatExceptionOfType(JsonFault.class).isThrownBy(() -> JsonValue.parse(nested(100_000), "text"));
        assertThatExceptionOfType(JsonFault.class).isThrownBy(() -> JsonValue.parse(nested(129), "text"));
    }

    @Test
    void numbers_keep_their_digits() {
        var json = "[1.10,1e400,-0,123456789012345678901234567890,0.1E-7]";

        assertThat(JsonOutput.text(JsonValue.parse(json, "text"))).isEqualTo(json);
    }

    @Test
    void numbers_of_thousands_of_digits_are_refused() {
        assertThatExceptionOfType(JsonFault.class).isThrownBy(() -> JsonValue.parse("1".repeat(5_000), "text"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":1,\"a\":1}", "{\"b\":{\"a\":1,\"a\":2}}", "[{\"a\":1,\"\\u0061\":2}]"})
    void a_field_that_stands_twice_is_refused_at_any_depth(String json) {
        assertThatExceptionOfType(JsonFault.class)
                .isThrownBy(() -> JsonValue.parse(json, "text"))
                .withMessage("expected once, found twice");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "{\"a\":1,}",
                "[1 2]",
                "{'a':1}",
                "{a:1}",
                "\"\\x\"",
                "\"a\nb\"",
                "tru",
                "1 2",
                "// c\n1",
                "\uFEFF1"
            })
    void what_is_not_one_json_value_is_refused(String json) {
        assertThatExceptionOfType(JsonFault.class).isThrownBy(() -> JsonValue.parse(json, "text"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\\ud83d\"", "\"\\ude00\\ud83d\"", "{\"a\":\"\\ud83d\"}", "[\"\\udfff\"]"})
    void half_a_surrogate_pair_is_refused(String json) {
        assertThatExceptionOfType(JsonFault.class)
                .isThrownBy(() -> JsonValue.parse(json, "text"))
                .withMessageContaining("half a surrogate pair");
    }

    @Test
    void half_a_surrogate_pair_is_refused_in_a_name_too() {
        assertThatExceptionOfType(JsonFault.class).isThrownBy(() -> JsonValue.parse("{\"\\ud83d\":1}", "text"));
        assertThatExceptionOfType(JsonFault.class).isThrownBy(() -> JsonValue.parse("{\"\ud83d\":1}", "text"));
    }

    @Test
    void a_surrogate_pair_may_be_escaped() {
        assertThat(JsonValue.parse("\"\\ud83d\\uDE00\"", "text").asString()).isEqualTo("😀");
    }

    @Test
    void a_fault_tells_the_way_to_its_place() {
        var value = JsonValue.parse("{\"list\":[0,{\"x\":1}]}", "thing");

        JsonValue inner = JsonFields.of(
                        JsonFields.of(value).value("list").asList().get(1))
                .value("x");

        assertThat(inner.fault("wrong"))
                .satisfies(fault -> assertThat(fault.path()).isEqualTo("thing.list[1].x"))
                .satisfies(fault -> assertThat(fault.offset()).isEqualTo(16));
    }
}
