package io.sluice.durabletask.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DispatchTimingTest {
    private static DispatchTiming timing(long lockMillis, long renewalMillis) {
        return new DispatchTiming(
                Duration.ofMillis(lockMillis),
                Duration.ofMillis(renewalMillis),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1));
    }

    @ParameterizedTest
    @CsvSource({"1000, 100, 50", "1000, 500, 250", "3000, 1000, 500", "30000, 10000, 1000"})
    void a_lock_that_is_due_is_seen_while_a_quarter_of_it_is_left(long lock, long renewal, long tick) {
        DispatchTiming timing = timing(lock, renewal);

        assertThat(timing.tick()).isEqualTo(Duration.ofMillis(tick));
        assertThat(timing.renewal().plus(timing.tick()))
                .isLessThanOrEqualTo(timing.lock().multipliedBy(3).dividedBy(4));
    }

    @Test
    void times_that_can_not_keep_a_lock_are_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> timing(999, 100)).withMessageContaining("a second");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> timing(1_000, 501))
                .withMessageContaining("PT0.501S");
        assertThatIllegalArgumentException().isThrownBy(() -> timing(1_000, 99)).withMessageContaining("PT0.1S");
    }
}
