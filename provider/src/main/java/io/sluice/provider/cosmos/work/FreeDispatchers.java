package io.sluice.provider.cosmos.work;

import java.time.Duration;

/**
 * How many dispatchers can take what is announced: those whose fetch has nothing yet, and those whose fetch has just
 * ended with nothing, since they come again soon. Without these, nothing could be announced to dispatchers that never
 * wait.
 */
final class FreeDispatchers {
    private static final long EXPECTED_MILLIS = Duration.ofSeconds(5).toMillis();

    private int asking;
    private int expected;
    private long expectedUntilMillis;

    /** A fetch begins. */
    void came() {
        asking++;
        expected = Math.max(0, expected - 1);
    }

    /** A fetch tries a candidate. */
    void tries() {
        asking--;
    }

    /** It could not take that, and asks again. */
    void asksAgain() {
        asking++;
    }

    /** A fetch that has nothing ends otherwise. */
    void left() {
        asking--;
    }

    /** A fetch ends, and nothing was found for it. */
    void leftWithNothing(long nowMillis) {
        asking--;
        expected++;
        expectedUntilMillis = nowMillis + EXPECTED_MILLIS;
    }

    int count(long nowMillis) {
        if (nowMillis >= expectedUntilMillis) {
            expected = 0;
        }
        return asking + expected;
    }
}
