package io.sluice.examples.durabletask;

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

    /**
     * A kill.
     *
     * @param after the one before
     * @param choice which process of the part, modulo their number
     */
    record Kill(Part part, Duration after, int choice) {}

    /** The settings of {@code -Dkills.<name>}, those of the long run by default. */
    static KillPlan fromProperties() {
        return new KillPlan(
                Long.getLong("kills.seed", new Random().nextInt(SEEDS)),
                Integer.getInteger("kills.instances", LONG_INSTANCES),
                Integer.getInteger("kills.count", LONG_KILLS),
                Duration.ofMillis(Integer.getInteger("kills.gapMillis", LONG_GAP_MILLIS)));
    }

    /** Each part in turn, in a random order, so that a short run kills one of each. */
    List<Kill> steps() {
        Random random = new Random(seed);
        Part[] parts = Part.values();
        int first = random.nextInt(parts.length);
        return IntStream.range(0, kills)
                .mapToObj(i -> new Kill(
                        i < parts.length ? parts[(first + i) % parts.length] : parts[random.nextInt(parts.length)],
                        Duration.ofMillis((long) (gap.toMillis() * 2 * random.nextDouble())),
                        random.nextInt(SEEDS)))
                .toList();
    }
}
