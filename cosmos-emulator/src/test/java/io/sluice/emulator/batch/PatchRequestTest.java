package io.sluice.emulator.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PatchRequestTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"op":"add","path":"/b","value":2}              | {"a":1}           | {"a":1,"b":2}
            {"op":"add","path":"/a","value":null}           | {"a":1}           | {"a":null}
            {"op":"add","path":"/a/1","value":9}            | {"a":[1,2]}       | {"a":[1,9,2]}
            {"op":"add","path":"/a/2","value":9}            | {"a":[1,2]}       | {"a":[1,2,9]}
            {"op":"add","path":"/a/-","value":9}            | {"a":[1,2]}       | {"a":[1,2,9]}
            {"op":"set","path":"/a/1","value":9}            | {"a":[1,2]}       | {"a":[1,9]}
            {"op":"set","path":"/a/0/b","value":9}          | {"a":[{}]}        | {"a":[{"b":9}]}
            {"op":"set","path":"/x~1y~0z","value":9}        | {}                | {"x/y~z":9}
            {"op":"replace","path":"/a","value":{"b":1}}    | {"a":1}           | {"a":{"b":1}}
            {"op":"remove","path":"/a/0"}                   | {"a":[1,2]}       | {"a":[2]}
            {"op":"incr","path":"/a","value":-3}            | {"a":1}           | {"a":-2}
            {"op":"incr","path":"/a","value":0.5}           | {"a":1}           | {"a":1.5}
            {"op":"incr","path":"/a","value":1}             | {}                | {"a":1}
            {"op":"incr","path":"/a","value":1}             | {"a":9223372036854775807} | {"a":9.223372036854776E18}
            {"op":"move","from":"/a","path":"/b"}           | {"a":1,"b":2}     | {"b":1}
            {"op":"move","from":"/a/0","path":"/a/1"}       | {"a":[1,2]}       | {"a":[2,1]}
            """)
    void an_operation_changes_what_it_names(String operation, String before, String after) {
        assertThat(patch(operation).apply(json(before))).hasToString(after);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"op":"replace","path":"/b","value":1}  | {"a":1}
            {"op":"remove","path":"/b"}             | {"a":1}
            {"op":"remove","path":"/a/2"}           | {"a":[1,2]}
            {"op":"add","path":"/a/3","value":1}    | {"a":[1,2]}
            {"op":"add","path":"/a/x","value":1}    | {"a":[1,2]}
            {"op":"add","path":"/a/-1","value":1}   | {"a":[1,2]}
            {"op":"add","path":"/b/c","value":1}    | {"a":1}
            {"op":"add","path":"/a/c","value":1}    | {"a":1}
            {"op":"incr","path":"/a","value":1}     | {"a":"1"}
            {"op":"move","from":"/b","path":"/a"}   | {"a":1}
            """)
    void an_operation_without_a_place_is_refused(String operation, String before) {
        var patch = patch(operation);

        assertThatThrownBy(() -> patch.apply(json(before)))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refusal -> assertThat(refusal.status()).isEqualTo(400));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "1",
                "{\"op\":\"burn\",\"path\":\"/a\"}",
                "{\"op\":\"add\",\"path\":\"a\",\"value\":1}",
                "{\"op\":\"add\",\"path\":\"/\",\"value\":1}",
                "{\"op\":\"add\",\"path\":\"/a//b\",\"value\":1}",
                "{\"op\":\"add\",\"path\":\"/a\"}",
                "{\"op\":\"incr\",\"path\":\"/a\",\"value\":\"1\"}",
                "{\"op\":\"move\",\"from\":\"/a\",\"path\":\"/a/b\"}",
                "{\"op\":\"set\",\"path\":\"/_etag\",\"value\":1}"
            })
    void what_is_no_operation_is_refused(String operation) {
        assertThatThrownBy(() -> patch(operation)).isInstanceOf(StatusException.class);
    }

    @ParameterizedTest
    @CsvSource({"c.a = 1, true", "c.a = 2, false", "IS_DEFINED(c.b), false", "c.a = '1', false"})
    void a_condition_decides(String condition, boolean holds) {
        var body = json("{\"condition\":\"from c where " + condition
                + "\",\"operations\":[{\"op\":\"set\",\"path\":\"/done\",\"value\":true}]}");
        var patch = PatchRequest.parse(body);
        var document = json("{\"a\":1}");

        if (holds) {
            assertThat(patch.apply(document).path("done").asBoolean()).isTrue();
        } else {
            assertThatThrownBy(() -> patch.apply(document))
                    .isInstanceOfSatisfying(
                            StatusException.class,
                            refusal -> assertThat(refusal.status()).isEqualTo(412));
        }
    }

    @Test
    void a_condition_that_fails_on_the_document_is_a_bad_request() {
        var patch = PatchRequest.parse(json(
                "{\"condition\":\"from c where 1 / c.a = 1\",\"operations\":[{\"op\":\"remove\",\"path\":\"/a\"}]}"));

        assertThatThrownBy(() -> patch.apply(json("{\"a\":0}")))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refusal -> assertThat(refusal.status()).isEqualTo(400));
    }

    private static PatchRequest patch(String operation) {
        return PatchRequest.parse(json("{\"operations\":[" + operation + "]}"));
    }

    private static ObjectNode json(String text) {
        return Json.readObject(text.getBytes(StandardCharsets.UTF_8));
    }
}
