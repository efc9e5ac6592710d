package io.sluice.examples.durabletask;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The short form of the run with killed processes; {@code mvn -q -Pkills} is the long one. {@code -Dkills.seed} repeats
 * the kills of a run.
 */
@Tag("thorough")
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KillsIT {
    @Test
    void each_orchestration_ends_once_as_if_nothing_had_been_killed() throws Exception {
        long seed = Tier.seed("kills.seed");

        KillReport report = KillRun.of(new KillPlan(seed, 48, 3, Duration.ofSeconds(1)));

        System.out.println(report.text());
        assertThat(report.surprises()).as("seed %d", seed).isEmpty();
        assertThat(report.ledger().faults()).as("seed %d", seed).isEmpty();
        assertThat(report.deadLetters()).as("seed %d", seed).isZero();
        assertThat(report.kills()).as("seed %d", seed).isNotEmpty();
    }
}
