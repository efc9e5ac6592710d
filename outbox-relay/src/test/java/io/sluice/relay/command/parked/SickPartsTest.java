package io.sluice.relay.command.parked;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SickPartsTest {
    private final SickParts parts = new SickParts(instance -> instance.substring(0, 1));

    @Test
    void one_instance_says_nothing_of_its_neighbours() {
        parts.failed("a-1");
        parts.failed("a-1");

        assertThat(parts.isSick("a-2")).isFalse();
        assertThat(parts.isSuspect("a-2")).isTrue();
        assertThat(parts.isSuspect("a-1")).as("by itself").isFalse();
        assertThat(parts.isSuspect("b-1")).isFalse();
    }

    @Test
    void two_instances_make_their_part_sick_and_no_other() {
        parts.failed("a-1");
        parts.failed("a-2");
        parts.failed("b-1");

        assertThat(parts.isSick("a-3")).isTrue();
        assertThat(parts.isSick("b-2")).isFalse();
    }

    @Test
    void an_answer_makes_a_part_well() {
        parts.failed("a-1");
        parts.failed("a-2");

        assertThat(parts.answered("b-1")).isFalse();
        assertThat(parts.answered("a-3")).isTrue();
        assertThat(parts.isSick("a-3")).isFalse();
        assertThat(parts.answered("a-3")).as("it was well").isFalse();
    }
}
