package io.sluice.provider.world;

import org.jspecify.annotations.Nullable;

/**
 * What is simulated.
 *
 * @param steps while faults strike
 * @param bug that is planted
 * @param isAnnounced whether processes learn of work by a feed
 * @param strike the only fault, and the story in which it strikes; null where the seed decides
 */
record Settings(
        long seed,
        int steps,
        PlantedBug bug,
        boolean isAnnounced,
        @Nullable StoryFaults strike) {
    Settings(long seed, int steps, PlantedBug bug, boolean isAnnounced) {
        this(seed, steps, bug, isAnnounced, null);
    }

    Settings(StoryFaults strike, boolean isAnnounced) {
        this(1, 0, PlantedBug.NONE, isAnnounced, strike);
    }
}
