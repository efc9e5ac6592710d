package io.sluice.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RetryBackoffTest {
    @ParameterizedTest(name = "after {0} failures: {1} to {2} ms")
    @CsvSource({"1, 50, 100", "2, 100, 200", "4, 400, 800", "20, 500, 1000", "2000000000, 500, 1000"})
    void rests_double_to_the_longest_and_chance_takes_at_most_half(int failures, long least, long most) {
        var backoff = new RetryBackoff(Duration.ofMillis(100), Duration.ofSeconds(1), new SplittableRandom(failures));

        for (int i = 0; i < 1_000; i++) {
            assertThat(backoff.after(failures).toMillis()).isBetween(least, most);
        }
    }

    @ParameterizedTest(name = "{0} after {1} failures: {2} ms")
    @CsvSource({
        "FIXED, 1, 100",
        "FIXED, 9, 100",
        "LINEAR, 1, 100",
        "LINEAR, 4, 400",
        "LINEAR, 2000000000, 1000",
        "EXPONENTIAL, 1, 100",
        "EXPONENTIAL, 4, 800",
        "EXPONENTIAL, 9, 1000"
    })
    void without_jitter_a_rest_is_what_its_growth_says(BackoffGrowth growth, int failures, long millis) {
        var backoff =
                new RetryBackoff(growth, Duration.ofMillis(100), Duration.ofSeconds(1), 0, new SplittableRandom(1));

        assertThat(backoff.after(failures)).hasMillis(millis);
    }

    @ParameterizedTest(name = "jitter {0}")
    @CsvSource({"0.1, 91, 100", "1, 0, 20"})
    void jitter_takes_its_part(double jitter, long least, long lowestSeen) {
        var backoff = new RetryBackoff(
                BackoffGrowth.FIXED, Duration.ofMillis(100), Duration.ofSeconds(1), jitter, new SplittableRandom(7));

        assertThat(java.util.stream.IntStream.range(0, 1_000)
                        .mapToLong(i -> backoff.after(1).toMillis()))
                .allMatch(rest -> rest >= least && rest <= 100)
                .anyMatch(rest -> rest <= lowestSeen);
    }
}
