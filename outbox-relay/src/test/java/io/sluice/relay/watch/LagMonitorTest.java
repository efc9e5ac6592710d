package io.sluice.relay.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.history.RangeState;
import io.sluice.relay.history.RangeStatus;
import io.sluice.relay.metrics.RelayMeters.Lag;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LagMonitorTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1_000));

    private static final KeyRange SEVENTH = KeyRange.cut(8).get(7);

    private final List<List<Lag>> heard = new ArrayList<>();
    private final List<RangeStatus> ranges = new ArrayList<>();

    private LagMonitor survey(LagMonitor.Backlog backlog) {
        return new LagMonitor(() -> ranges, backlog, heard::add, CLOCK, Duration.ofSeconds(1));
    }

    private static RangeStatus range(RangeState state, long newestSeconds, boolean idle) {
        return new RangeStatus(SEVENTH, state, 0, 0, newestSeconds, idle, null);
    }

    @Test
    void a_range_that_has_seen_that_nothing_is_new_is_not_behind_and_costs_nothing() {
        ranges.add(range(RangeState.PUBLISHING, 0, true));

        survey((seconds, range) -> {
                    throw new AssertionError("the store was asked");
                })
                .step();

        assertThat(heard).containsExactly(List.of(new Lag(SEVENTH, 0, 0)));
    }

    @Test
    void what_is_newer_than_the_newest_published_event_is_counted() {
        ranges.add(range(RangeState.RECOVERING, 940, false));

        survey((seconds, range) -> seconds == 940 && range.equals(SEVENTH) ? 12 : -1)
                .step();

        assertThat(heard).containsExactly(List.of(new Lag(SEVENTH, 12, 60)));
    }

    @Test
    void a_range_with_nothing_newer_is_not_behind_however_old_its_newest_event_is() {
        ranges.add(range(RangeState.RECOVERING, 1, false));

        survey((seconds, range) -> 0).step();

        assertThat(heard).containsExactly(List.of(new Lag(SEVENTH, 0, 0)));
    }

    @Test
    void a_range_that_has_not_published_yet_is_unknown() {
        ranges.add(range(RangeState.TAKING_OVER, 0, false));

        var survey = survey((seconds, range) -> 5);
        survey.step();

        assertThat(heard).containsExactly(List.of(new Lag(SEVENTH, Double.NaN, Double.NaN)));
        assertThat(survey.samples()).containsExactly(new LagMonitor.Sample(1_000_000, Double.NaN, Double.NaN));
    }

    @Test
    void a_store_that_does_not_answer_leaves_it_unknown() {
        ranges.add(range(RangeState.RECOVERING, 940, false));

        survey((seconds, range) -> {
                    throw new IllegalStateException("away");
                })
                .step();

        assertThat(heard).containsExactly(List.of(new Lag(SEVENTH, Double.NaN, Double.NaN)));
    }
}
