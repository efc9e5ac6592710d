package io.sluice.relay.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PositionTest {
    private static final RangeId SECOND_OF_FOUR = RangeId.of(1, 4, "rid-1");

    @Test
    void a_position_survives_being_written_and_read() throws PositionRefusedException {
        var position = Position.beginning(SECOND_OF_FOUR, "topic-1").at("token");

        assertThat(Position.parse(position.encode())).contains(position);
    }

    @Test
    void the_beginning_survives_being_written_and_read() throws PositionRefusedException {
        var position = Position.beginning(SECOND_OF_FOUR, "topic-1");

        assertThat(Position.parse(position.encode())).contains(position);
    }

    @Test
    void the_right_range_is_accepted() throws PositionRefusedException {
        Position.beginning(SECOND_OF_FOUR, "topic-1").at("token").requireRange(SECOND_OF_FOUR);
    }

    @Test
    void another_cut_of_the_key_space_is_refused() {
        var position = Position.beginning(RangeId.of(1, 8, "rid-1"), "topic-1").at("token");

        assertThatThrownBy(() -> position.requireRange(SECOND_OF_FOUR))
                .as("somebody added partitions to the positions topic: its continuation would publish twice")
                .isInstanceOf(PositionRefusedException.class)
                .hasMessageContaining("of 8 in container")
                .hasMessageContaining("of 4 in container");
    }

    @Test
    void another_container_is_refused() {
        var position = Position.beginning(RangeId.of(1, 4, "rid-0"), "topic-1").at("token");

        assertThatThrownBy(() -> position.requireRange(SECOND_OF_FOUR))
                .as("the container was deleted and made anew")
                .isInstanceOf(PositionRefusedException.class)
                .hasMessageContaining("rid-0");
    }

    @Test
    void a_newer_schema_is_refused() throws PositionRefusedException {
        var text = new String(Position.beginning(SECOND_OF_FOUR, "topic-1").encode(), UTF_8)
                .replace("\"schemaVersion\":1", "\"schemaVersion\":2");

        var position = Position.parse(text.getBytes(UTF_8)).orElseThrow();

        assertThatThrownBy(() -> position.requireRange(SECOND_OF_FOUR)).isInstanceOf(PositionRefusedException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{", "7", "null", "[]", "{}", "{\"id\":\"c-1\",\"status\":\"accepted\",\"instance\":\"a\"}"})
    void what_others_write_is_no_position(String text) {
        assertThat(Position.parse(text.getBytes(UTF_8))).isEmpty();
    }
}
