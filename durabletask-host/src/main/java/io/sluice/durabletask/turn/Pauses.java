package io.sluice.durabletask.turn;

import java.time.Duration;

/** Pauses before what was tried in vain is tried again: each twice as long as the one before, up to the longest. */
public record Pauses(Duration first, Duration longest) {
    /** Enough for any two durations. */
    private static final int MOST_DOUBLINGS = 30;

    /** The pause after so many attempts, at least one. */
    public Duration after(int attempts) {
        Duration pause = first.multipliedBy(1L << Math.min(Math.max(0, attempts - 1), MOST_DOUBLINGS));
        return pause.compareTo(longest) < 0 ? pause : longest;
    }
}
