package io.sluice.testkit.seed;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Which of two tiers of the tests runs: the first, at each change, or all of it ({@code mvn verify -Pthorough}, which
 * sets the system property {@code sluice.thorough}). Thread-safe.
 */
public final class Tier {
    private static final int SEEDS = 1_000_000;
    private static final boolean THOROUGH = Boolean.getBoolean("sluice.thorough");

    private Tier() {}

    /** How many seeds, cases or rounds a test runs: {@code few} in the first tier, {@code all} in a thorough run. */
    public static int times(int few, int all) {
        return THOROUGH ? all : few;
    }

    /**
     * The seed of a test whose threads or processes have a timing of their own: the system property's value; without
     * one a new seed in a thorough run, and always the same in the first tier, which judges a change and not its luck.
     *
     * @throws NumberFormatException when the property is no integer
     */
    public static long seed(String property) {
        String asked = System.getProperty(property);
        if (asked != null) {
            return Long.parseLong(asked);
        }
        return THOROUGH ? ThreadLocalRandom.current().nextInt(SEEDS) : 1;
    }
}
