package io.sluice.client;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * UUIDs of version 7 that grow within the process, also within one millisecond and when the clock steps back.
 * Thread-safe.
 */
final class CommandIds {
    private static final int COUNTER_LIMIT = 1 << 12;

    private final InstantSource clock;
    private final RandomGenerator random;
    private long lastMillis;
    private int counter;

    CommandIds(InstantSource clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
    }

    CommandIds() {
        this(InstantSource.system(), new SecureRandom());
    }

    synchronized String next() {
        long nowMillis = clock.millis();
        if (nowMillis > lastMillis) {
            lastMillis = nowMillis;
            // Starts in the lower half of the counter, so that it can grow.
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
