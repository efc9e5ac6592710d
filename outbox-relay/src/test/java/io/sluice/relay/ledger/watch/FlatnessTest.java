package io.sluice.relay.ledger.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Planted leaks, and what looks like one and is none. Half an hour, a value each 5 s, of 100 MB with 8 MB to spare. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FlatnessTest {
    private static final int RUN = 1_800;
    private static final double CONSTANT = 8;

    private static Flatness judged(DoubleUnaryOperator megabytes) {
        return Flatness.of(
                IntStream.range(0, RUN / 5)
                        .mapToObj(i -> new Flatness.Point(5 * i, megabytes.applyAsDouble(5 * i)))
                        .toList(),
                CONSTANT);
    }

    @Test
    void what_stays_is_flat_however_it_jitters() {
        var random = new Random(1);

        var flat = judged(second -> 100 + 20 * random.nextGaussian());

        assertThat(flat.isFlat()).as("%s", flat).isTrue();
    }

    @Test
    void a_saw_is_flat() {
        assertThat(judged(second -> 100 + second % 170 / 2).isFlat()).isTrue();
    }

    @Test
    void what_grows_while_it_warms_up_is_flat() {
        assertThat(judged(second -> 100 * (1 - Math.exp(-second / 200))).isFlat())
                .isTrue();
    }

    @Test
    void what_shrinks_is_flat() {
        assertThat(judged(second -> 100 - second / 30).isFlat()).isTrue();
    }

    @Test
    void a_spike_is_flat() {
        assertThat(judged(second -> second > 1_500 && second < 1_560 ? 400 : 100)
                        .isFlat())
                .isTrue();
    }

    @Test
    void what_creeps_is_a_leak_though_it_jitters_more_than_it_creeps() {
        var random = new Random(2);

        var leak = judged(second -> 100 + 32 * second / RUN + 10 * random.nextGaussian());

        assertThat(leak.isFlat()).as("%s", leak).isFalse();
        assertThat(leak.last() - leak.middle())
                .as("the medians alone would not tell")
                .isLessThan(leak.allowance());
    }

    @Test
    void a_step_late_in_the_run_is_a_leak() {
        var leak = judged(second -> second < 1_450 ? 100 : 125);

        assertThat(leak.isFlat()).as("%s", leak).isFalse();
        assertThat(leak.rise()).as("the trend alone would not tell").isLessThan(leak.allowance());
    }

    @Test
    void what_grows_with_every_kill_is_a_leak() {
        assertThat(judged(second -> 30 + Math.floor(second / 20)).isFlat())
                .as("one connection for each of 90 kills")
                .isFalse();
    }

    @Test
    void a_leak_in_a_saw_is_a_leak() {
        assertThat(judged(second -> 60 + second % 60 / 2 + 40 * second / RUN).isFlat())
                .isFalse();
    }

    @Test
    void the_thirds_are_told() {
        var steps = judged(second -> second < 600 ? 10 : second < 1_200 ? 20 : 30);

        assertThat(List.of(steps.first(), steps.middle(), steps.last())).containsExactly(10.0, 20.0, 30.0);
        assertThat(steps.allowance()).isEqualTo(10);
    }

    @Test
    void too_few_points_are_refused() {
        assertThatThrownBy(() -> Flatness.of(List.of(new Flatness.Point(0, 1)), CONSTANT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("9");
    }
}
