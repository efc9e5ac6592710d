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
    void a_lease_lasts_a_minute_by_default_and_may_miss_a_renewal() {
        LeaseConfig config = LeaseConfig.DEFAULT;

        assertThat(config.duration()).isEqualTo(Duration.ofSeconds(60));
        assertThat(config.heartbeat().multipliedBy(2))
                .isLessThan(config.duration().minus(config.margin()));
        assertThat(config.withDuration(Duration.ofSeconds(12)).margin()).isEqualTo(Duration.ofSeconds(2));
    }

    @ParameterizedTest
    @CsvSource({
        "PT0.5S, PT0S, PT0.1S, duration",
        "PT2H, PT0S, PT1S, duration",
        "PT60S, PT30S, PT5S, margin",
        "PT60S, PT-1S, PT5S, margin",
        "PT60S, PT10S, PT26S, heartbeat",
        "PT60S, PT10S, PT0S, heartbeat"
    })
    void what_could_not_work_is_refused_by_name(Duration duration, Duration margin, Duration heartbeat, String field) {
        assertThatThrownBy(() -> new LeaseConfig(duration, margin, heartbeat))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(field);
    }
}
