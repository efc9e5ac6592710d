package io.sluice.relay.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HorizonTest {
    private static final long NOW = 1_000_000;

    private final Horizon horizon = new Horizon(60_000);

    private void look(long at) {
        horizon.endLook(horizon.beginLook(at), at);
    }

    @Test
    void the_first_look_takes_what_is_overdue() {
        assertThat(horizon.beginLook(NOW)).isEqualTo(LookaheadQuery.Window.first(NOW + 60_000));
    }

    @Test
    void the_feed_announces_up_to_a_window_before_it_is_looked_at_and_records_declare_it_after() {
        var window = horizon.beginLook(NOW);
        assertThat(horizon.announcedUntil()).isEqualTo(NOW + 60_000);
        assertThat(horizon.declared()).isZero();

        horizon.endLook(window, NOW);

        assertThat(horizon.declared()).isEqualTo(NOW + 60_000);
    }

    @Test
    void a_look_that_failed_raises_nothing_and_is_repeated_as_it_was() {
        look(NOW);
        horizon.beginLook(NOW + 30_000);

        var again = horizon.beginLook(NOW + 31_000);

        assertThat(horizon.declared()).isEqualTo(NOW + 60_000);
        assertThat(again.visibleFrom()).isEqualTo(NOW + 60_000);
        assertThat(again.lockedFrom()).isLessThan(NOW);
    }

    @Test
    void locks_are_looked_at_from_the_last_look_on() {
        look(NOW);

        var next = horizon.beginLook(NOW + 30_000);

        assertThat(next.lockedFrom())
                .as("a short lock, taken and expired since")
                .isLessThanOrEqualTo(NOW);
        assertThat(next.visibleFrom()).isEqualTo(NOW + 60_000);
        assertThat(next.until()).isEqualTo(NOW + 90_000);
    }

    @Test
    void what_there_was_no_room_for_comes_with_the_next_look_which_is_soon() {
        var window = horizon.beginLook(NOW);
        horizon.leaveOut(NOW + 10_000);
        horizon.endLook(window, NOW);

        assertThat(horizon.declared()).isEqualTo(NOW + 10_000);
        assertThat(horizon.waitMillis(NOW)).isEqualTo(5_000);
        assertThat(horizon.beginLook(NOW + 5_000).visibleFrom()).isEqualTo(NOW + 10_000);
    }

    @Test
    void a_look_that_leaves_out_what_is_overdue_makes_up_for_nothing_however_late_a_page_is_given_up() {
        look(NOW);
        var underWay = horizon.beginLook(NOW + 30_000);

        horizon.drop(NOW + 30_000 - Horizon.REPLICA_LAG_MILLIS - 1_000);
        horizon.endLook(underWay, NOW + 30_000);

        assertThat(horizon.declared()).isZero();
        assertThat(horizon.isWhole()).isFalse();
    }

    @Test
    void after_work_was_dropped_nothing_is_declared_until_a_look_at_all_that_is_overdue_was_taken() {
        look(NOW);
        var underWay = horizon.beginLook(NOW + 30_000);
        horizon.drop(NOW + 31_000);
        assertThat(horizon.declared()).isZero();

        horizon.endLook(underWay, NOW + 30_000);

        assertThat(horizon.declared()).as("it has left out what is overdue").isZero();
        long sure = NOW + 31_000 + Horizon.REPLICA_LAG_MILLIS;
        assertThat(horizon.beginLook(sure)).isEqualTo(LookaheadQuery.Window.first(sure + 60_000));
        look(sure);
        assertThat(horizon.declared()).isEqualTo(sure + 60_000);
        assertThat(horizon.beginLook(sure + 30_000).visibleFrom()).isEqualTo(sure + 60_000);
    }

    @Test
    void a_look_whose_replica_may_lag_behind_what_was_dropped_declares_nothing_and_is_repeated() {
        look(NOW);
        horizon.drop(NOW + 1_000);

        look(NOW + 1_000 + Horizon.REPLICA_LAG_MILLIS - 1);

        assertThat(horizon.declared()).isZero();
        assertThat(horizon.isWhole()).isFalse();
        assertThat(horizon.waitMillis(NOW + 5_000)).isEqualTo(Horizon.REPLICA_LAG_MILLIS - 4_000);
        assertThat(horizon.beginLook(NOW + 20_000).visibleFrom()).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void what_the_feed_finds_no_room_for_between_two_looks_comes_with_the_next_one() {
        look(NOW);

        horizon.leaveOut(NOW + 20_000);

        assertThat(horizon.beginLook(NOW + 30_000).visibleFrom()).isEqualTo(NOW + 20_000);
    }
}
