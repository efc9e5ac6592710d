package io.sluice.relay.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PollIntervalTest {
    private final PollInterval pace = new PollInterval(Duration.ofMillis(50), Duration.ofSeconds(1));

    @Test
    void rests_double_up_to_the_longest_while_nothing_happens() {
        var rests = Stream.generate(pace::afterNothing).limit(7).map(Duration::toMillis);

        assertThat(rests).containsExactly(50L, 100L, 200L, 400L, 800L, 1000L, 1000L);
    }

    @Test
    void activity_brings_the_shortest_rest_back() {
        pace.afterNothing();
        pace.afterNothing();

        assertThat(pace.afterActivity()).isEqualTo(Duration.ofMillis(50));
        assertThat(pace.afterNothing()).isEqualTo(Duration.ofMillis(50));
    }

    @Test
    void a_shortest_rest_above_the_longest_is_refused() {
        assertThatThrownBy(() -> new PollInterval(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
