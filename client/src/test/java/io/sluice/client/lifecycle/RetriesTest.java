package io.sluice.client.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RetriesTest {
    private static final TopicPartition PARTITION = new TopicPartition("orders.lifecycle", 0);

    private final Retries retries = new Retries();

    private static long millis(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }

    @Test
    void rests_double_up_to_half_a_minute() {
        long now = 0;
        for (long expected : new long[] {100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000}) {
            retries.failed(PARTITION, 7, now);
            assertThat(retries.due(now + millis(expected) - 1))
                    .as("%s ms", expected)
                    .isEmpty();
            now += millis(expected);
            assertThat(retries.due(now)).containsExactly(PARTITION);
            assertThat(retries.due(now)).as("told once").isEmpty();
        }
        assertThat(retries.attemptsAt(PARTITION, 7)).isEqualTo(11);
    }

    @Test
    void another_event_begins_anew() {
        retries.failed(PARTITION, 7, 0);

        assertThat(retries.attemptsAt(PARTITION, 8)).isZero();
        retries.succeeded(PARTITION);
        assertThat(retries.attemptsAt(PARTITION, 7)).isZero();
    }

    @Test
    void what_went_to_another_member_is_forgotten() {
        retries.failed(PARTITION, 7, 0);

        retries.forget(List.of(PARTITION));

        assertThat(retries.due(millis(60_000))).isEmpty();
    }
}
