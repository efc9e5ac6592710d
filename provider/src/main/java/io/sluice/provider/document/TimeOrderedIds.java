package io.sluice.provider.document;

import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * UUIDs of version 7 that grow strictly within the process, also within one millisecond and when the clock steps back:
 * queue documents of one millisecond keep the order in which they were made. Thread-safe.
 */
public final class TimeOrderedIds {
    private static final int COUNTER_LIMIT = 1 << 12;

    private final RandomGenerator random;
    private long lastMillis;
    private int counter;

    /** Ids with random tails from this source. */
    public TimeOrderedIds(RandomGenerator random) {
        this.random = random;
    }

    /** The next id; its time is {@code nowMillis} or later. */
    public synchronized String next(long nowMillis) {
        if (nowMillis > lastMillis) {
            lastMillis = nowMillis;
            // The lower half of the counter is left to grow into.
            counter = random.nextInt(COUNTER_LIMIT / 2);
        } else if (++counter == COUNTER_LIMIT) {
            lastMillis++;
            counter = 0;
        }
        long high = lastMillis << 16 | 0x7000L | counter;
        long low = random.nextLong() >>> 2 | 0x8000_0000_0000_0000L;
        return new UUID(high, low).toString();
    }
}
