package io.sluice.provider.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LeaseConfigTest {
    @Test
    void a_lease_lasts_a_minute_by_default() {
        LeaseConfig config = LeaseConfig.DEFAULT;

        assertThat(config.duration()).isEqualTo(Duration.ofSeconds(60));
        assertThat(config.withDuration(Duration.ofSeconds(12)).margin()).isEqualTo(Duration.ofSeconds(2));
    }

    @ParameterizedTest
    @CsvSource({"PT0.5S, PT0S, duration", "PT2H, PT0S, duration", "PT60S, PT30S, margin", "PT60S, PT-1S, margin"})
    void what_could_not_work_is_refused_by_name(Duration duration, Duration margin, String field) {
        assertThatThrownBy(() -> new LeaseConfig(duration, margin))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(field);
    }
}
