package io.sluice.provider.cosmos.candidate;

import java.time.Duration;
import java.time.InstantSource;

/**
 * How many dispatchers wait, and how many can take what is announced: those that wait, and those whose fetch has just
 * ended with nothing, since they come again soon. Without these, nothing could be announced to workers that never wait.
 * Guarded by its owner's lock.
 */
final class FreeWorkers {
    private static final long EXPECTED_MILLIS = Duration.ofSeconds(5).toMillis();

    private final InstantSource clock;
    private int waiting;
    private int expected;
    private long expectedUntilMillis;

    FreeWorkers(InstantSource clock) {
        this.clock = clock;
    }

    void came() {
        waiting++;
        expected = Math.max(0, expected - 1);
    }

    /** It was given work, or will not come again. */
    void left() {
        waiting--;
    }

    void leftWithNothing() {
        waiting--;
        expected++;
        expectedUntilMillis = clock.millis() + EXPECTED_MILLIS;
    }

    int waiting() {
        return waiting;
    }

    /** How many can take what is announced. */
    int count() {
        if (clock.millis() >= expectedUntilMillis) {
            expected = 0;
        }
        return waiting + expected;
    }

    boolean areAny() {
        return count() > 0;
    }
}
