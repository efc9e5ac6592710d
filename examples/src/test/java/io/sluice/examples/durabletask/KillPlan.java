package io.sluice.examples.durabletask;

import io.sluice.testkit.seed.Step;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * What a run does; the same seed and settings give the same kills in the same order.
 *
 * @param seed of everything that is left to chance
 * @param instances orchestrations that are started by clients
 * @param kills processes that are killed, while there is work
 * @param gap mean time between two kills
 */
record KillPlan(long seed, int instances, int kills, Duration gap) {
    private static final int SEEDS = 1_000_000;
    private static final int LONG_INSTANCES = 200;
    private static final int LONG_KILLS = 50;
    private static final int LONG_GAP_MILLIS = 2_500;

    /** What can be killed. */
    enum Part {
        HOST,
        WORKER,
        RELAY
    }

    /** The settings of {@code -Dkills.<name>}, those of the long run by default. */
    static KillPlan fromProperties() {
        return new KillPlan(
                Long.getLong("kills.seed", new Random().nextInt(SEEDS)),
                Integer.getInteger("kills.instances", LONG_INSTANCES),
                Integer.getInteger("kills.count", LONG_KILLS),
                Duration.ofMillis(Integer.getInteger("kills.gapMillis", LONG_GAP_MILLIS)));
    }

    /** Each part equally often, in an order of the seed's: a short run kills one of each. */
    List<Step<Part>> steps() {
        List<Part> parts = IntStream.range(0, kills)
                .mapToObj(i -> Part.values()[i % Part.values().length])
                .toList();
        return Step.spread(parts, gap.multipliedBy(kills), seed);
    }
}
