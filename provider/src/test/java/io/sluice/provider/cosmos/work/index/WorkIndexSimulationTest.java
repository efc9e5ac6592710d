package io.sluice.provider.cosmos.work.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.announcement.WorkQueue;
import io.sluice.testkit.seed.Tier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many seeds, each a world of writers, replicas that lag, announcements that are lost, late, repeated, foreign or
 * wrong, processes that die or are slow, and filters that change. {@code -Dwork.seed} plays a single one,
 * {@code -Dwork.seeds} says how many, {@code -Dwork.from} the first.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WorkIndexSimulationTest {
    private static final int SEEDS = Integer.getInteger("work.seeds", Tier.times(25, 2_000));
    private static final long FROM = Long.getLong("work.from", 1);
    private static final int SHOWN = 3;

    @ParameterizedTest
    @EnumSource
    void nothing_happens_that_must_not(WorkQueue queue) {
        Long single = Long.getLong("work.seed");
        List<String> violations = new ArrayList<>();
        long steps = 0;
        long from = single == null ? FROM : single;
        for (long seed = from; seed < from + (single == null ? SEEDS : 1); seed++) {
            WorkWorld world = new WorkWorld(seed, queue);
            try {
                world.play();
            } catch (AssertionError | IllegalStateException e) {
                violations.add(describe(seed, e));
            }
            steps += world.steps();
        }

        assertThat(violations.stream().limit(SHOWN))
                .as("%d seeds", violations.size())
                .isEmpty();
        assertThat(steps).isPositive();
    }

    private static String describe(long seed, Throwable why) {
        return why.getMessage()
                + "\nmvn test -pl provider -am -Dsurefire.failIfNoSpecifiedTests=false"
                + " -Dtest=WorkIndexSimulationTest -Dwork.seed=" + seed;
    }
}
