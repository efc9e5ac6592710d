package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.client.lifecycle.ReaderConfig;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClientConfigTest {
    private static final ClientConfig CONFIG = ClientConfig.of("broker:9092", "orders");
    private static final ReaderConfig READER = ReaderConfig.ofGroup("broker:9092", "orders", "billing");

    static Stream<Function<Duration, ?>> times() {
        return Stream.of(
                CONFIG::withReplyTimeout,
                CONFIG::withStartTimeout,
                CONFIG::withCloseTimeout,
                CommandOptions.DEFAULT::withReplyTimeout,
                READER::withStartTimeout,
                READER::withCloseTimeout);
    }

    @ParameterizedTest
    @MethodSource("times")
    void times_are_what_kafka_and_a_wait_can_be_given(Function<Duration, ?> with) {
        assertThat(with.apply(Duration.ofMillis(1))).isNotNull();
        assertThat(with.apply(Duration.ofDays(24))).isNotNull();
        // Less than a millisecond would be no limit at all where a thread is waited for.
        for (Duration none :
                new Duration[] {Duration.ofNanos(1), Duration.ofDays(25), ChronoUnit.FOREVER.getDuration()}) {
            assertThatThrownBy(() -> with.apply(none))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Timeout must be 1 ms to 24 days, was ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"partitioner.class", "partitioner.ignore.keys", "transactional.id"})
    void settings_that_would_take_commands_out_of_order_or_keep_them_from_being_sent_are_refused(String setting) {
        assertThatThrownBy(() -> CONFIG.withKafkaSettings(Map.of(setting, "canary")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(setting)
                .hasMessageNotContaining("canary");
    }
}
