package io.sluice.provider.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.Test;

class KnownFailuresTest {
    private final Exception unsupported = new UnsupportedVersionException("no share groups");
    private final Exception silent = new TimeoutException("no answer");

    private final KnownFailures known = new KnownFailures();
    private final FailureLog first = new FailureLog("activities", FeedTimings.DEFAULT, known);
    private final FailureLog second = new FailureLog("activities", FeedTimings.DEFAULT, known);

    @Test
    void what_all_readers_of_a_topic_suffer_is_new_once() {
        assertThat(known.begin(first, unsupported)).isTrue();
        assertThat(known.begin(second, unsupported)).isFalse();
        assertThat(known.begin(first, unsupported)).isFalse();

        assertThat(known.begin(second, silent)).isTrue();
    }

    @Test
    void it_is_over_when_the_last_reader_works_again() {
        known.begin(first, silent);
        known.begin(second, silent);

        assertThat(known.end(first)).isFalse();
        assertThat(known.end(first)).isFalse();
        assertThat(known.end(second)).isTrue();
        assertThat(known.begin(first, silent)).isTrue();
    }

    /** One whose subscription was closed would else hide the failures of those that go on. */
    @Test
    void a_reader_that_has_ended_does_not_count() {
        var unused = first.failed(silent);
        known.begin(second, silent);

        first.ended();

        assertThat(known.end(second)).isTrue();
        assertThat(first.problem()).isNull();
    }
}
