package io.sluice.relay.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PositionTest {
    private static final RangeId SECOND_OF_FOUR = RangeId.of(1, 4, "rid-1");

    @Test
    void a_position_survives_being_written_and_read() throws PositionRefusedException {
        var position = Position.beginning(SECOND_OF_FOUR).at("token");

        assertThat(Position.decode(position.encode())).isEqualTo(position);
    }

    @Test
    void the_beginning_survives_being_written_and_read() throws PositionRefusedException {
        var position = Position.beginning(SECOND_OF_FOUR);

        assertThat(Position.decode(position.encode())).isEqualTo(position);
    }

    @Test
    void the_right_range_is_accepted() throws PositionRefusedException {
        Position.beginning(SECOND_OF_FOUR).at("token").requireRange(SECOND_OF_FOUR);
    }

    @Test
    void another_cut_of_the_key_space_is_refused() {
        var position = Position.beginning(RangeId.of(1, 8, "rid-1")).at("token");

        assertThatThrownBy(() -> position.requireRange(SECOND_OF_FOUR))
                .as("somebody added partitions to the positions topic: its continuation would publish twice")
                .isInstanceOf(PositionRefusedException.class)
                .hasMessageContaining("of 8 in container")
                .hasMessageContaining("of 4 in container");
    }

    @Test
    void another_container_is_refused() {
        var position = Position.beginning(RangeId.of(1, 4, "rid-0")).at("token");

        assertThatThrownBy(() -> position.requireRange(SECOND_OF_FOUR))
                .as("the container was deleted and made anew")
                .isInstanceOf(PositionRefusedException.class)
                .hasMessageContaining("rid-0");
    }

    @Test
    void a_newer_schema_is_refused() throws PositionRefusedException {
        var text = new String(Position.beginning(SECOND_OF_FOUR).encode(), UTF_8)
                .replace("\"schemaVersion\":1", "\"schemaVersion\":2");

        var position = Position.decode(text.getBytes(UTF_8));

        assertThatThrownBy(() -> position.requireRange(SECOND_OF_FOUR)).isInstanceOf(PositionRefusedException.class);
    }

    @Test
    void nonsense_is_refused() {
        assertThatThrownBy(() -> Position.decode("{".getBytes(UTF_8))).isInstanceOf(PositionRefusedException.class);
    }
}
