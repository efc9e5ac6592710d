package io.sluice.provider.kafka.demand;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BacklogTest {
    private static final long OLD_MILLIS = 5_000;

    private final Backlog backlog = new Backlog();

    @Test
    void many_old_records_in_a_row_that_are_for_others_are_worth_another_client() throws InterruptedException {
        foreign(49, OLD_MILLIS);
        assertThat(backlog.isWanted()).isFalse();
        assertThat(backlog.await(0)).isFalse();

        foreign(1, OLD_MILLIS);
        assertThat(backlog.isWanted()).isTrue();
        assertThat(backlog.await(0)).isTrue();
    }

    @Test
    void one_that_is_for_this_group_is_left_to_its_readers_first() throws InterruptedException {
        foreign(50, OLD_MILLIS);
        backlog.own();
        assertThat(backlog.await(0)).isFalse();
        assertThat(backlog.isWanted()).as("it stays in the group").isTrue();

        foreign(50, OLD_MILLIS);
        assertThat(backlog.await(0)).isTrue();
    }

    @Test
    void what_is_read_as_it_comes_is_no_backlog() {
        foreign(1_000, OLD_MILLIS - 1);

        assertThat(backlog.isWanted()).isFalse();
    }

    @Test
    void it_ends() throws InterruptedException {
        foreign(50, OLD_MILLIS);
        backlog.caughtUp();

        assertThat(backlog.isWanted()).isFalse();
        assertThat(backlog.await(0)).isFalse();
    }

    private void foreign(int times, long ageMillis) {
        for (int i = 0; i < times; i++) {
            backlog.foreign(ageMillis);
        }
    }
}
