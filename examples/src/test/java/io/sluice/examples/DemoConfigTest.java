package io.sluice.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DemoConfigTest {
    @Test
    void nothing_has_to_be_set() {
        DemoConfig config = DemoConfig.from(Map.of());

        assertThat(config.orders()).isNull();
        assertThat(config.timeLimit()).isEqualTo(Duration.ofSeconds(150));
        assertThat(config.keep()).isFalse();
    }

    @Test
    void every_fault_is_told_at_once_with_its_range() {
        Map<String, String> environment = Map.of(
                "SLUICE_DEMO_ORDERS_PER_SECOND", "fast",
                "SLUICE_DEMO_TIME_LIMIT_SECONDS", "5",
                "SLUICE_DEMO_KEEP", "maybe");

        assertThatThrownBy(() -> DemoConfig.from(environment))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("SLUICE_DEMO_ORDERS_PER_SECOND must be a whole number from 1 to 1000, was fast")
                .hasMessageContaining("SLUICE_DEMO_TIME_LIMIT_SECONDS must be a whole number from 10 to 3600, was 5")
                .hasMessageContaining("SLUICE_DEMO_KEEP must be true or false, was maybe");
    }
}
