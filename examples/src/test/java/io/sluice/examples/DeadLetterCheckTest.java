package io.sluice.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DeadLetterCheckTest {
    private final List<DeadLetter> letters = new ArrayList<>(BadCommand.ALL.stream()
            .map(bad -> new DeadLetter(bad.commandId(), "because"))
            .toList());

    @Test
    void each_bad_command_once_is_as_expected() {
        assertThat(DeadLetterCheck.of(letters).isAsExpected()).isTrue();
    }

    @Test
    void a_missing_letter_is_a_fault() {
        letters.remove(0);

        assertThat(DeadLetterCheck.of(letters).faults())
                .singleElement()
                .asString()
                .contains("bad-not-json")
                .contains("0 times");
    }

    @Test
    void a_second_copy_and_a_letter_nobody_expects_are_faults() {
        letters.add(letters.get(0));
        letters.add(new DeadLetter("start-A-1", "throttled"));

        assertThat(DeadLetterCheck.of(letters).faults()).hasSize(2);
    }

    @Test
    void a_letter_without_a_reason_is_a_fault() {
        letters.set(0, new DeadLetter("bad-not-json", ""));

        assertThat(DeadLetterCheck.of(letters).faults())
                .singleElement()
                .asString()
                .contains("no reason");
    }
}
