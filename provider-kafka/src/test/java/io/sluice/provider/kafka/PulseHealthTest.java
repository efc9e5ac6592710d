package io.sluice.provider.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.announcement.Pulse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PulseHealthTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final PulseHealth health = new PulseHealth(Duration.ofSeconds(10), Duration.ofSeconds(5));

    @Test
    void no_pulse_is_a_problem() {
        assertThat(health.problem(0)).contains("no pulse");
    }

    @Test
    void every_range_needs_a_pulse_of_the_last_ten_seconds() {
        health.heard(Pulse.of(0, 2, 0, 0, 0), 0);
        assertThat(health.problem(0)).contains("range 1");

        health.heard(Pulse.of(1, 2, 0, 0, 0), 5 * SECOND);
        assertThat(health.problem(10 * SECOND)).isNull();
        assertThat(health.problem(10 * SECOND + 1)).contains("range 0");
    }

    @Test
    void more_than_five_seconds_of_lag_are_a_problem() {
        health.heard(Pulse.of(0, 1, 0, 5_000, 0), 0);
        assertThat(health.problem(0)).isNull();

        health.heard(Pulse.of(0, 1, 0, 5_001, 0), 0);
        assertThat(health.problem(0)).contains("5001 ms");
    }

    @Test
    void ranges_that_are_gone_do_not_matter() {
        health.heard(Pulse.of(1, 2, 0, 9_000, 0), 0);
        health.heard(Pulse.of(0, 1, 0, 0, 0), 0);
        assertThat(health.problem(0)).isNull();

        health.heard(Pulse.of(0, 2, 0, 0, 0), 0);
        assertThat(health.problem(0))
                .as("the range is there again, its old pulse is not")
                .contains("range 1");
    }

    @Test
    void the_time_that_a_relay_writes_does_not_matter() {
        health.heard(Pulse.of(0, 1, -1_000_000, 0, 0), 0);
        assertThat(health.problem(SECOND)).isNull();
    }
}
