package io.sluice.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TextTableTest {
    @Test
    void words_stand_left_and_numbers_right() {
        TextTable table = new TextTable("type", "done").row("standard", 1_234).row("gift", 0.5);

        assertThat(table.toString().lines())
                .containsExactly("   type       done", "   standard  1 234", "   gift       0.50");
    }
}
