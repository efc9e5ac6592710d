package io.sluice.provider.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.world.site.Site;
import io.sluice.provider.world.site.Sites;
import io.sluice.testkit.seed.Tier;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Many seeds, each a world of its own: nothing that must not happen does. {@code -Dsimulation.seeds} says how many,
 * {@code -Dsimulation.from} the first, {@code -Dsimulation.steps} how long faults strike; {@code -Dsimulation.seed}
 * plays a single one and tells all that happens.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@ExtendWith(MutedClocks.class)
@Order(1)
class SimulationIT {
    private static final Logger LOG = LoggerFactory.getLogger(SimulationIT.class);

    private static final int SEEDS = Integer.getInteger("simulation.seeds", Tier.times(40, 600));
    private static final int ANNOUNCED_SEEDS = Integer.getInteger("simulation.announced", Tier.times(15, 100));
    private static final long FROM = Long.getLong("simulation.from", 1);
    private static final int STEPS = Integer.getInteger("simulation.steps", 50);
    private static final int SITES = Integer.getInteger("simulation.sites", 4);
    private static final int SEEDS_FOR_A_BUG = 400;
    private static final int SEEDS_TWICE = Tier.times(3, 6);
    private static final int SHOWN = 3;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothing_happens_that_must_not(boolean isAnnounced) throws Exception {
        var single = Long.getLong("simulation.seed");
        int seeds = isAnnounced ? ANNOUNCED_SEEDS : SEEDS;
        var played = single == null ? playAll(FROM, seeds, isAnnounced) : playAll(single, 1, isAnnounced);
        long steps = played.stream().mapToLong(each -> each.outcome().steps()).sum();
        var violated = played.stream()
                .filter(each -> !each.outcome().violations().isEmpty())
                .toList();
        LOG.atWarn()
                .addKeyValue("announced", isAnnounced)
                .addKeyValue("seeds", played.size())
                .addKeyValue("steps", steps)
                .addKeyValue("violated", violated.size())
                .log("worlds were simulated");
        if (single != null) {
            played.get(0).outcome().trace().lines().forEach(line -> LOG.atWarn().log(line));
        }
        assertThat(violated.stream().limit(SHOWN).map(Played::describe)).isEmpty();
        assertThat(steps).isGreaterThanOrEqualTo((long) played.size() * STEPS);
    }

    private static List<Played> playAll(long from, int seeds, boolean isAnnounced) throws Exception {
        var all = LongStream.range(from, from + seeds).boxed().toList();
        return Sites.play(SITES, World.PROCESSES, all, (site, seed) -> {
            var outcome = World.play(site, new Settings(seed, STEPS, PlantedBug.NONE, isAnnounced));
            return new Played(seed, seeds == 1 ? outcome : outcome.inShort());
        });
    }

    private record Played(long seed, Outcome outcome) {
        String describe() {
            return outcome.describe("SimulationIT -Dsimulation.steps=" + STEPS + " -Dsimulation.seed=" + seed);
        }
    }

    @Test
    void a_seed_plays_the_same_twice() {
        try (var site = new Site(World.PROCESSES);
                var another = new Site(World.PROCESSES)) {
            for (long seed = FROM; seed < FROM + SEEDS_TWICE; seed++) {
                var settings = new Settings(seed, STEPS, PlantedBug.NONE, false);
                var first = World.play(site, settings).trace().lines();
                var second = World.play(another, settings).trace().lines();
                assertThat(first).isNotEmpty();
                assertThat(second).as("seed %d", seed).isEqualTo(first);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void finds_a_bug_that_is_planted(PlantedBug bug) {
        try (var site = new Site(World.PROCESSES)) {
            for (long seed = bug.from(); seed < bug.from() + SEEDS_FOR_A_BUG; seed++) {
                var outcome = World.play(site, new Settings(seed, STEPS, bug, bug.isOfAnnouncements()));
                if (!outcome.violations().isEmpty()) {
                    LOG.atWarn()
                            .addKeyValue("bug", bug)
                            .addKeyValue("seeds", seed)
                            .log(outcome.violations().get(0));
                    return;
                }
            }
        }
        throw new AssertionError("no seed found " + bug);
    }
}
