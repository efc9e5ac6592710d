package io.sluice.accountkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PlanTest {
    private static final Duration NONE = Duration.ZERO;

    @Test
    void a_run_without_a_split_costs_two_hours_of_two_containers_in_each_region() {
        var plan = new Plan(Plan.BOUGHT, true, NONE, NONE);

        assertThat(plan.dollars(1)).isCloseTo(1.28, within(0.001));
        assertThat(plan.dollars(3)).isCloseTo(3.84, within(0.001));
    }

    @Test
    void a_split_costs_every_hour_that_it_may_take_and_the_one_it_begins_in() {
        assertThat(new Plan(Plan.BOUGHT, true, Duration.ofMinutes(90), NONE).dollars(1))
                .isCloseTo(1.28 + 3 * 0.88, within(0.001));
        assertThat(new Plan(Plan.BOUGHT, true, Duration.ofMinutes(90), Duration.ofMinutes(60)).dollars(1))
                .isCloseTo(1.28 + 4 * 0.88, within(0.001));
    }

    @Test
    void the_longest_split_that_is_waited_for_by_default_costs_less_than_what_is_refused() {
        assertThat(new Plan(Plan.BOUGHT, true, Duration.ofMinutes(360), NONE).dollars(1))
                .isLessThan(Plan.MOST_DOLLARS);
    }

    @Test
    void it_says_what_it_creates_and_removes() {
        assertThat(new Plan(Plan.BOUGHT, true, Duration.ofMinutes(30), Duration.ofMinutes(20)).text("ours", 1))
                .contains("Creates the database ours with two containers of 4000 RU/s each")
                .contains("raised to 11000 RU/s until it has split, for 30 min at most")
                .contains("az cosmosdb sql container merge", "-d ours")
                .contains("Removes the database at its end")
                .contains("Costs at most ");
        assertThat(new Plan(0, true, NONE, NONE).text("ours", 1)).contains("less than 1 $");
        assertThat(new Plan(0, false, NONE, NONE).text("theirs", 1))
                .contains("Writes to two containers of the database theirs, and leaves them")
                .contains("Costs what the containers cost by themselves.")
                .doesNotContain("Removes");
    }
}
