package io.sluice.provider.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.json.Vector;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class NamedActivityTest {
    static Stream<Vector> activities() {
        return Vector.all("work-items.json").filter(vector -> vector.name().startsWith("ActivityExecute"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("activities")
    void is_what_the_decoder_finds_or_nothing_where_the_text_is_cut(Vector vector) {
        String text = vector.text("rust_string");
        Optional<String> name = Optional.of(((WorkItem.ActivityExecute) WorkItemJson.decode(text)).name());

        assertThat(NamedActivity.in(text)).isEqualTo(name);
        for (int end = 0; end < text.length(); end++) {
            assertThat(NamedActivity.in(text.substring(0, end))).isIn(Optional.empty(), name);
        }
    }

    @Test
    void the_input_may_look_like_a_name() {
        assertThat(NamedActivity.in("{\"ActivityExecute\":{\"more\":{\"name\":\"B\"},\"name\":\"A\"}}"))
                .contains("A");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "[]", "{}", "{\"ActivityExecute\":7}", "{\"ActivityExecute\":{\"name\":7}}"})
    void without_a_name_there_is_none(String text) {
        assertThat(NamedActivity.in(text)).isEmpty();
    }
}
