package io.sluice.testkit.seed;

/**
 * Which of two tiers of the tests runs: the first, at each change, or all of it ({@code mvn verify -Pthorough}, which
 * sets the system property {@code sluice.thorough}). Thread-safe.
 */
public final class Tier {
    private static final boolean THOROUGH = Boolean.getBoolean("sluice.thorough");

    private Tier() {}

    /** How many seeds, cases or rounds a test runs: {@code few} in the first tier, {@code all} in a thorough run. */
    public static int times(int few, int all) {
        return THOROUGH ? all : few;
    }
}
