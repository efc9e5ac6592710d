package io.sluice.relay.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.watch.GroupLag.Measurement;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StreamsHealthTest {
    @Test
    void streams_that_take_nothing_of_what_waits_are_a_problem_whatever_they_call_themselves() {
        assertThat(StreamsHealth.problem(new Measurement(12, StreamsHealth.MOST_STANDING.plusSeconds(10))))
                .get()
                .asString()
                .contains("none of a partition was processed for 70 s");
    }

    @Test
    void what_waits_for_a_moment_is_no_problem() {
        assertThat(StreamsHealth.problem(new Measurement(100_000, StreamsHealth.MOST_STANDING)))
                .isEmpty();
        assertThat(StreamsHealth.problem(Measurement.UNKNOWN)).isEmpty();
    }
}
