package io.sluice.provider.world.game;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.Provider;
import io.sluice.provider.cosmos.SimulatedMachine;
import io.sluice.provider.feed.CatchingUpProvider;
import io.sluice.provider.feed.ChangeFeedAnnouncer;
import io.sluice.provider.request.RequestObserver;
import io.sluice.provider.world.MutedClocks;
import io.sluice.provider.world.game.Compared.Tested;
import io.sluice.provider.world.game.Game.Result;
import io.sluice.provider.world.game.Game.Step;
import io.sluice.provider.world.site.Site;
import io.sluice.provider.world.site.Sites;
import io.sluice.provider.world.site.VirtualTime;
import io.sluice.testkit.seed.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Random operations on two processes of the provider and on the model come to the same, one by one, and leave the same
 * behind, whether processes query the store or work is announced to them. {@code -Dmodel.seeds} and {@code
 * -Dmodel.announced} say how many sequences, {@code -Dmodel.from} the first, {@code -Dmodel.steps} how long
 * they are; {@code -Dmodel.seed} plays a single one and tells all that happens.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@ExtendWith(MutedClocks.class)
class ModelIT {
    private static final Logger LOG = LoggerFactory.getLogger(ModelIT.class);
    private static final int SEEDS = Integer.getInteger("model.seeds", Tier.times(12, 200));
    private static final int ANNOUNCED_SEEDS = Integer.getInteger("model.announced", Tier.times(6, 60));
    private static final long FROM = Long.getLong("model.from", 1);
    private static final int STEPS = Integer.getInteger("model.steps", 50);
    private static final int SITES = 2;
    private static final int PROCESSES = 2;
    private static final int SEEDS_FOR_A_BUG = 100;
    private static final int SHOWN = 3;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void provider_and_model_agree(boolean isAnnounced) throws Exception {
        var single = Long.getLong("model.seed");
        int seeds = isAnnounced ? ANNOUNCED_SEEDS : SEEDS;
        var played = single == null ? playAll(FROM, seeds, isAnnounced) : playAll(single, 1, isAnnounced);
        int found = played.stream().mapToInt(each -> each.result().found()).sum();
        int late = played.stream().mapToInt(each -> each.result().late()).sum();
        LOG.atWarn()
                .addKeyValue("announced", isAnnounced)
                .addKeyValue("seeds", played.size())
                .addKeyValue("steps", STEPS)
                .addKeyValue("found", found)
                .addKeyValue("late", late)
                .log("sequences were played");
        if (single != null) {
            played.get(0).result().trace().forEach(line -> LOG.atWarn().log(line));
        }
        assertThat(played.stream()
                        .filter(each -> each.result().difference() != null)
                        .limit(SHOWN)
                        .map(Played::describe))
                .isEmpty();
        assertThat(late).as("of %d fetches", found).isLessThanOrEqualTo(found / 10);
    }

    @ParameterizedTest
    @EnumSource
    void finds_what_is_wrong_with_a_faulty_model(FaultyModel model) {
        long found = LongStream.rangeClosed(1, SEEDS_FOR_A_BUG)
                .filter(seed ->
                        Game.play(model.tested(), Step.drawn(seed, STEPS)).difference() != null)
                .findFirst()
                .orElse(0);

        if (model == FaultyModel.NONE) {
            assertThat(found).as("the model differs from itself").isZero();
        } else {
            assertThat(found).as("found by seed").isPositive();
        }
    }

    @Test
    void shortens_a_sequence_to_what_is_needed() {
        var steps = LongStream.rangeClosed(1, SEEDS_FOR_A_BUG)
                .mapToObj(seed -> Step.drawn(seed, STEPS))
                .filter(ModelIT::losesAMessage)
                .findFirst()
                .orElseThrow();

        var least = Game.shortened(steps, ModelIT::losesAMessage);

        assertThat(least).hasSizeLessThanOrEqualTo(2).extracting(Step::move).contains(Move.MESSAGE);
    }

    private static boolean losesAMessage(List<Step> steps) {
        return Game.play(FaultyModel.MESSAGE_LOST.tested(), steps).difference() != null;
    }

    /** A sequence and what came of it, shortened where there was a difference. */
    private record Played(long seed, Result result) {
        String describe() {
            return "seed " + seed + ": " + result.difference()
                    + "\nreplay it: mvn test -pl provider -am -Dsurefire.failIfNoSpecifiedTests=false -Dtest=ModelIT"
                    + " -Dmodel.steps=" + STEPS + " -Dmodel.seed=" + seed
                    + "\nshortened:\n" + String.join("\n", result.trace());
        }
    }

    private static List<Played> playAll(long from, int seeds, boolean isAnnounced) throws Exception {
        var all = LongStream.range(from, from + seeds).boxed().toList();
        return Sites.play(SITES, PROCESSES, all, (site, seed) -> {
            var steps = Step.drawn(seed, STEPS);
            var result = Game.play(new Emulated(site, seed, isAnnounced), steps);
            if (result.difference() != null) {
                var least = Game.shortened(
                        steps,
                        some -> Game.play(new Emulated(site, seed, isAnnounced), some)
                                        .difference()
                                != null);
                result = Game.play(new Emulated(site, seed, isAnnounced), least);
            }
            return new Played(seed, result);
        });
    }

    /** The provider on the emulator, with nothing in the store. */
    private static final class Emulated implements Tested {
        private final Site site;
        private final List<Provider> processes = new ArrayList<>();
        private final AtomicLong ticks = new AtomicLong();

        private final boolean isAnnounced;

        Emulated(Site site, long seed, boolean isAnnounced) {
            this.site = site;
            this.isAnnounced = isAnnounced;
            site.clear();
            for (int i = 0; i < PROCESSES; i++) {
                var machine = new SimulatedMachine(
                        site.time(), this::nanos, new SplittableRandom(seed + i), RequestObserver.NONE);
                processes.add(isAnnounced ? announced(machine, i) : machine.provider(site.store(i), true));
            }
        }

        /** Each hears of everything: which of them fetches, the sequence says. */
        private Provider announced(SimulatedMachine machine, int process) {
            var announcer = ChangeFeedAnnouncer.byHand(site.queueChanges(), site.time());
            return CatchingUpProvider.of(machine.provider(site.store(process), true, announcer.join()), announcer);
        }

        @Override
        public boolean isAnnounced() {
            return isAnnounced;
        }

        /** No two moments are the same, or what was found before would pass for found just now. */
        private long nanos() {
            return site.time().nanos() + ticks.incrementAndGet();
        }

        @Override
        public List<Provider> processes() {
            return processes;
        }

        @Override
        public VirtualTime time() {
            return site.time();
        }

        @Override
        public int messages(String instance) {
            return site.count(instance, "orch_queue");
        }
    }
}
