package io.sluice.provider.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.history.DecodingException;
import io.sluice.provider.history.ExtraFields;
import io.sluice.provider.json.Vector;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkItemJsonTest {
    static Stream<Vector> items() {
        return Vector.all("work-items.json");
    }

    /** One of each variant that has all its fields. */
    static Stream<Vector> full() {
        var names = List.of(
                "StartOrchestration/all-present", "ActivityExecute/session-and-tag", "ContinueAsNew/all-present");
        return items().filter(vector -> names.contains(vector.name())
                || !vector.name().matches("(StartOrchestration|ActivityExecute|ContinueAsNew)/.*"));
    }

    static Stream<Vector> decodings() {
        return Vector.all("decoding.json").filter(vector -> vector.text("kind").equals("work_item"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("items")
    void what_rust_wrote_is_written_again_byte_for_byte(Vector vector) {
        WorkItem item = WorkItemJson.decode(vector.text("rust_string"));

        assertThat(WorkItemJson.encode(item)).isEqualTo(vector.text("rust_string"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("items")
    void order_and_spelling_of_the_text_do_not_matter_for_reading(Vector vector) {
        WorkItem sorted = WorkItemJson.decode(vector.value("json").toPrettyString());

        assertThat(sorted).isEqualTo(WorkItemJson.decode(vector.text("rust_string")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("items")
    void a_written_item_reads_as_the_same_item(Vector vector) {
        WorkItem item = WorkItemJson.decode(vector.text("rust_string"));

        assertThat(WorkItemJson.decode(WorkItemJson.encode(item))).isEqualTo(item);
        assertThat(item.extras()).isEqualTo(ExtraFields.NONE);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("items")
    void an_item_goes_to_the_instance_it_is_routed_to(Vector vector) {
        WorkItem item = WorkItemJson.decode(vector.text("rust_string"));

        assertThat(item.routedInstance()).isEqualTo(vector.text("route_instance"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("decodings")
    void is_as_strict_as_rust(Vector vector) {
        if (vector.value("accepted").booleanValue()) {
            WorkItem item = WorkItemJson.decode(vector.text("input_string"));

            assertThat(Vector.parsed(WorkItemJson.encode(item)))
                    .as("Rust drops unknown fields when it writes, we do not")
                    .isEqualTo(withExtras(vector, item));
        } else {
            assertThatExceptionOfType(DecodingException.class)
                    .isThrownBy(() -> WorkItemJson.decode(vector.text("input_string")));
        }
    }

    private static ObjectNode withExtras(Vector vector, WorkItem item) {
        ObjectNode expected = vector.value("json").deepCopy();
        item.extras()
                .jsonByName()
                .forEach((name, json) -> expected.withObject(item.variant()).set(name, Vector.parsed(json)));
        return expected;
    }

    @Test
    void every_variant_is_known_under_its_own_name() {
        assertThat(WorkItemJson.ITEMS.names())
                .isEqualTo(Arrays.stream(WorkItem.class.getPermittedSubclasses())
                        .map(Class::getSimpleName)
                        .collect(Collectors.toSet()));
    }

    @Test
    void every_variant_has_a_vector() {
        var seen = items().map(vector ->
                        WorkItemJson.decode(vector.text("rust_string")).variant())
                .collect(Collectors.toSet());

        assertThat(seen).isEqualTo(WorkItemJson.ITEMS.names());
    }

    @Nested
    class Fields_of_a_newer_runtime {
        @Test
        void survive_reading_and_writing_behind_the_known_ones() {
            WorkItem item =
                    WorkItemJson.decode("{\"CancelInstance\":{\"by\":[1.0],\"reason\":\"r\",\"instance\":\"i\"}}");

            assertThat(item).isEqualTo(new WorkItem.CancelInstance("i", "r", new ExtraFields(Map.of("by", "[1.0]"))));
            assertThat(WorkItemJson.encode(item))
                    .isEqualTo("{\"CancelInstance\":{\"instance\":\"i\",\"reason\":\"r\",\"by\":[1.0]}}");
        }
    }

    @Nested
    class Fields_in_an_array {
        @Test
        void stand_in_the_order_rust_declares_them() {
            var json = "{\"ActivityExecute\":[\"i\",1,2,\"A\",\"in\",\"s1\",\"gpu\"]}";

            assertThat(WorkItemJson.decode(json))
                    .isEqualTo(new WorkItem.ActivityExecute("i", 1, 2, "A", "in", "s1", "gpu"));
        }

        @Test
        void are_not_more_than_the_variant_has() {
            assertThatExceptionOfType(DecodingException.class)
                    .isThrownBy(() -> WorkItemJson.decode("{\"CancelInstance\":[\"i\",\"r\",\"x\"]}"))
                    .withMessageEndingWith("expected at most 2 elements, found 3");
        }

        @Test
        void are_not_fewer_than_required() {
            assertThatExceptionOfType(DecodingException.class)
                    .isThrownBy(() -> WorkItemJson.decode("{\"CancelInstance\":[\"i\"]}"))
                    .satisfies(refusal -> assertThat(refusal.path()).isEqualTo("work item.CancelInstance.reason"));
        }

        @ParameterizedTest(name = "{0}")
        @MethodSource("io.sluice.provider.work.WorkItemJsonTest#full")
        void read_as_the_object_does(Vector vector) {
            var object = (ObjectNode) Vector.parsed(vector.text("rust_string"));
            String variant = object.fieldNames().next();
            var array = object.arrayNode();
            object.path(variant).elements().forEachRemaining(array::add);

            WorkItem item = WorkItemJson.decode(object.set(variant, array).toString());

            assertThat(item).isEqualTo(WorkItemJson.decode(vector.text("rust_string")));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "[]",
                "{}",
                "{\"CancelInstance\":null}",
                "{\"CancelInstance\":\"i\"}",
                "{\"CancelInstance\":{\"instance\":\"i\",\"reason\":\"r\",\"reason\":\"s\"}}",
                "{\"CancelInstance\":{\"instance\":\"i\",\"reason\":\"r\"}} 1",
                "{\"CancelInstance\":{\"instance\":\"i\",\"reason\":\"\\ud800\"}}",
                "{\"CancelInstance\":{\"instance\":null,\"reason\":\"r\"}}",
                "{\"cancelInstance\":{\"instance\":\"i\",\"reason\":\"r\"}}",
                "{\"ContinueAsNew\":{\"instance\":\"i\",\"orchestration\":\"O\",\"input\":\"\",\"carry_forward_events\":[{}]}}",
                "{\"ContinueAsNew\":{\"instance\":\"i\",\"orchestration\":\"O\",\"input\":\"\",\"carry_forward_events\":[[\"a\",1]]}}"
            })
    void what_is_no_work_item_is_refused(String json) {
        assertThatExceptionOfType(DecodingException.class)
                .isThrownBy(() -> WorkItemJson.decode(json))
                .withMessageStartingWith("work item");
    }

    @Test
    void half_a_surrogate_pair_is_refused_on_writing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorkItemJson.encode(new WorkItem.CancelInstance("i", "\udc00 r")))
                .withMessage("reason must be Unicode text, has half a surrogate pair at character 0");
    }

    @ParameterizedTest
    @CsvSource({
        "1000, 5000, 5000", // not before now
        "9000, 5000, 9000",
        "-1, 5000, 9007199254740991", // unsigned: the largest time, "never"
        "9223372036854775807, 5000, 9007199254740991"
    })
    void a_timer_becomes_visible_when_it_is_due(long fireAtMillis, long nowMillis, long visibleAtMillis) {
        var timer = new WorkItem.TimerFired("i", 1, 2, fireAtMillis);

        assertThat(timer.visibleAtMillis(nowMillis)).isEqualTo(visibleAtMillis);
    }
}
