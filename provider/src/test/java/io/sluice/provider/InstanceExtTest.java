package io.sluice.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class InstanceExtTest {
    @Test
    void white_space_goes_and_numbers_are_as_the_store_writes_them() {
        assertThat(new InstanceExt(" { \"a\" : 1.0 , \"b\" : [ 0.5, 1e3, -7 ], \"ü\" : null } ").json())
                .isEqualTo("{\"a\":1,\"b\":[0.5,1000,-7],\"ü\":null}");
    }

    @Test
    void what_is_read_back_equals_what_was_written() {
        InstanceExt ext = new InstanceExt("{\"a\":1e300,\"b\":9007199254740992,\"c\":0.1,\"d\":{\"e\":[]}}");

        assertThat(new InstanceExt(ext.json())).isEqualTo(ext);
    }

    @Test
    void the_limit_is_in_bytes_and_the_error_names_field_limit_and_size() {
        String fitting = "{\"a\":\"" + "ü".repeat((InstanceExt.MAX_BYTES - 8) / 2) + "\"}";

        assertThat(new InstanceExt(fitting).json()).isEqualTo(fitting);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new InstanceExt(fitting.replaceFirst("ü", "üüü")))
                .withMessage("ext must have at most 16384 bytes as JSON, had 16388");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "[1] | ext must be a JSON object, was another JSON value",
                "null | ext must be a JSON object, was another JSON value",
                "{\"a\":1 | ext must be a JSON object",
                "{\"a\":1,\"a\":2} | ext",
                "{\"a\":{\"b\":[1,9007199254740993]}} | ext.a.b[1] must be a number",
                "{\"a\":1e999} | ext.a must be a number",
                "{\"a\":\"\\ud800\"} | ext",
            })
    void what_the_store_would_not_give_back_is_refused(String json, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new InstanceExt(json))
                .withMessageContaining(message);
    }

    @Test
    void a_condition_names_a_field_that_needs_no_quoting() {
        for (String field : List.of("", "a b", "1a", "a\"] OR true", "a".repeat(65))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new ExtCondition.Between(field, 1L, null))
                    .withMessageContaining("field");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ExtCondition.OneOf("status", List.of()))
                .withMessageContaining("1 to 100");
    }
}
