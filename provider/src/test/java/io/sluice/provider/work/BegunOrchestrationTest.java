package io.sluice.provider.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.json.Vector;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BegunOrchestrationTest {
    static Stream<Vector> starts() {
        return Vector.all("work-items.json").filter(vector -> vector.name().matches("(Start|Continue).*"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("starts")
    void is_what_the_decoder_finds_in_any_order_of_fields(Vector vector) {
        String rust = vector.text("rust_string");
        var expected = Optional.of(decoded(rust));

        assertThat(BegunOrchestration.in(rust)).isEqualTo(expected);
        assertThat(BegunOrchestration.in(vector.value("json").toPrettyString())).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("starts")
    void of_a_text_that_is_cut_nothing_is_said_that_the_rest_would_refute(Vector vector) {
        String rust = vector.text("rust_string");
        BegunOrchestration whole = decoded(rust);
        BegunOrchestration nameAlone = new BegunOrchestration(whole.name(), null);

        for (int end = 0; end < rust.length(); end++) {
            assertThat(BegunOrchestration.in(rust.substring(0, end)))
                    .as("the first %d characters", end)
                    .isIn(Optional.empty(), Optional.of(nameAlone), Optional.of(whole));
        }
    }

    @Test
    void the_input_may_look_like_a_start_itself() {
        String input = "{\\\"orchestration\\\":\\\"B\\\",\\\"version\\\":\\\"9\\\"}";

        assertThat(
                        BegunOrchestration.in(
                                "{\"StartOrchestration\":{\"input\":\"" + input
                                        + "\",\"more\":{\"orchestration\":\"C\",\"version\":\"8\"},\"orchestration\":\"A\",\"version\":null}}"))
                .contains(new BegunOrchestration("A", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "{}",
                "[]",
                "{\"StartOrchestration\":\"A\"}",
                "{\"StartOrchestration\":{}}",
                "{\"StartOrchestration\":{\"version\":\"1\"}}",
                "{\"StartOrchestration\":{\"orchestration\":7}}",
                "{\"StartOrchestration\":{\"orchestration\":{\"orchestration\":\"A\"}}}",
            })
    void without_a_name_there_is_none(String text) {
        assertThat(BegunOrchestration.in(text)).isEmpty();
    }

    private static BegunOrchestration decoded(String text) {
        WorkItem item = WorkItemJson.decode(text);
        return item instanceof WorkItem.StartOrchestration start
                ? new BegunOrchestration(start.orchestration(), Objects.requireNonNullElse(start.version(), ""))
                : next((WorkItem.ContinueAsNew) item);
    }

    private static BegunOrchestration next(WorkItem.ContinueAsNew item) {
        return new BegunOrchestration(item.orchestration(), Objects.requireNonNullElse(item.version(), ""));
    }
}
