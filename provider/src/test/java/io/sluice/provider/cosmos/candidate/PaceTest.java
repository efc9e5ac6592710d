package io.sluice.provider.cosmos.candidate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PaceTest {
    private final AtomicLong nanoTime = new AtomicLong();
    private final Pace pace = new Pace(nanoTime::get, new SearchRests(Duration.ofMillis(10), Duration.ofMillis(35)));

    @Test
    void rests_grow_up_to_the_longest_while_there_is_no_work() {
        assertThat(restMillisAfterNothing()).isEqualTo(10);
        assertThat(restMillisAfterNothing()).isEqualTo(20);
        assertThat(restMillisAfterNothing()).isEqualTo(35);
        assertThat(restMillisAfterNothing()).isEqualTo(35);
    }

    @Test
    void after_work_the_first_rest_is_the_shortest() {
        restMillisAfterNothing();
        restMillisAfterNothing();

        pace.rest();

        assertThat(Duration.ofNanos(pace.nanosLeft())).hasMillis(10);
        assertThat(restMillisAfterNothing()).isEqualTo(10);
    }

    @ParameterizedTest
    @CsvSource({"PT0S, PT1S", "PT0.0009S, PT1S", "PT2S, PT1S", "PT1S, PT61S"})
    void rests_out_of_bounds_are_refused_by_name(Duration first, Duration longest) {
        assertThatThrownBy(() -> new SearchRests(first, longest))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("searchRests must be from PT0.001S to PT1M")
                .hasMessageContaining("were " + first + " and " + longest);
    }

    private long restMillisAfterNothing() {
        nanoTime.addAndGet(Math.max(0, pace.nanosLeft()));
        assertThat(pace.isTimeToAsk()).isTrue();
        pace.restLonger();
        return Duration.ofNanos(pace.nanosLeft()).toMillis();
    }
}
