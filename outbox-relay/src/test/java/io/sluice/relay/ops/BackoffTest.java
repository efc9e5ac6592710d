package io.sluice.relay.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BackoffTest {
    @ParameterizedTest(name = "after {0} failures: {1} to {2} ms")
    @CsvSource({"1, 50, 100", "2, 100, 200", "4, 400, 800", "20, 500, 1000", "2000000000, 500, 1000"})
    void rests_double_to_the_longest_and_chance_takes_at_most_half(int failures, long least, long most) {
        var backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1), new SplittableRandom(failures));

        for (int i = 0; i < 1_000; i++) {
            assertThat(backoff.after(failures).toMillis()).isBetween(least, most);
        }
    }
}
