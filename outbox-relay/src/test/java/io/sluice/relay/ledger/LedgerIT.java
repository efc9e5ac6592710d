package io.sluice.relay.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.ledger.load.Story;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
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
    private static final Plan.Counts ALL = new Plan.Counts(3, 0, 1, 1, 2, 2, 3, 3, 1, 1);
    /** Other tests have a relay frozen or left, a commit whose answer is lost, and an outage. */
    private static Plan plan(long seed, int relays, int orders, Plan.Counts counts, Duration throttled) {
        return new Plan(
                seed,
                relays,
                1,
                false,
                orders,
                counts,
                Duration.ofSeconds(1),
                Duration.ZERO,
                throttled,
                Duration.ofSeconds(4),
                true,
                "-Pthorough -Dtest=LedgerIT -Dledger.seed=" + seed);
    }

    @Test
    @Tag("thorough")
    void nothing_is_lost_repeated_or_out_of_order_whatever_dies() throws Exception {
        var plan = plan(Tier.seed("ledger.seed"), 3, 80, ALL, Duration.ofSeconds(6));

        var summary = LedgerRun.of(plan);

        LOG.atWarn().log("\n{}", summary.text());
        assertThat(summary.faults()).as(plan.command()).isEmpty();
        assertThat(summary.isSound()).as(plan.command()).isTrue();
        assertThat(summary.report().intents()).isGreaterThan(2 * Story.TAGS_TO_HUB * plan.orders());
        assertThat(summary.done()).containsEntry(Plan.Action.KILL, plan.counts().kills());
        assertThat(summary.lostCommits())
                .isGreaterThanOrEqualTo(Math.min(1, plan.counts().lostCommits()));
        assertThat(summary.longestTakeover()).isLessThan(Duration.ofMinutes(5));
    }

    @Test
    void the_same_seed_gives_the_same_actions() {
        var first = plan(7, 3, 80, ALL, Duration.ofSeconds(6));
        var other = plan(8, 3, 80, ALL, Duration.ofSeconds(6));

        assertThat(first.steps()).isEqualTo(first.steps()).hasSize(19).isNotEqualTo(other.steps());
    }
}
