package io.sluice.durabletask.dispatch;

import java.time.Duration;

/** How long work rests that was answered in a way that can't be committed. */
final class Parking {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final int DOUBLINGS = 9;

    private Parking() {}

    /**
     * Twice as long after each attempt, from a second to five minutes.
     *
     * @param attempt 1 for the first
     */
    static Duration after(int attempt) {
        Duration rest = FIRST.multipliedBy(1L << Math.min(DOUBLINGS, Math.max(0, attempt - 1)));
        return rest.compareTo(LONGEST) < 0 ? rest : LONGEST;
    }
}
