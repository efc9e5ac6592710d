package io.sluice.relay.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The short form of the ledger; {@code mvn -q -Pledger} is the long one. {@code -Dledger.seed} repeats the actions of a
 * run.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LedgerIT {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerIT.class);
    private static final Plan.Counts COUNTS = new Plan.Counts(3, 1, 1, 2, 2, 3, 3, 1);

    @Test
    void nothing_is_lost_repeated_or_out_of_order_whatever_dies() throws Exception {
        long seed = Long.getLong("ledger.seed", new Random().nextInt(1_000_000));

        var summary = LedgerRun.of(new Plan(
                seed, 3, 40, 150, 10, COUNTS, Duration.ofSeconds(1), Duration.ofSeconds(6), Duration.ofSeconds(4)));

        LOG.atWarn().log("\n{}", summary.text());
        assertThat(summary.report().findings()).as("seed %d", seed).isEmpty();
        assertThat(summary.leftOver()).as("seed %d", seed).isZero();
        assertThat(summary.report().intents()).isGreaterThan(500);
        assertThat(summary.troubles().lostCommits()).isPositive();
        assertThat(summary.longestTakeover()).isLessThan(Duration.ofMinutes(5));
    }

    @Test
    void the_same_seed_gives_the_same_actions() {
        var first = new Plan(
                7, 3, 40, 150, 10, COUNTS, Duration.ofSeconds(1), Duration.ofSeconds(6), Duration.ofSeconds(4));
        var other = new Plan(
                8, 3, 40, 150, 10, COUNTS, Duration.ofSeconds(1), Duration.ofSeconds(6), Duration.ofSeconds(4));

        assertThat(first.steps()).isEqualTo(first.steps()).hasSize(19).isNotEqualTo(other.steps());
    }
}
