package io.sluice.provider.cosmos.turn.work;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Instances that have messages but no start. The candidate query shows their start as soon as there is one, whichever
 * process sends it; to search for anything else costs two reads each. So an instance is left alone for twice as long
 * after every read, and all of them for longer the more there are: however many wait, reading them takes a part
 * of the time only, and the rest is for what is ready. Thread-safe.
 */
final class AwaitedStarts {
    /** More would make reads rarer than is of use. */
    static final int MOST = 10_000;

    private static final long FIRST_MILLIS = 1_000;
    private static final long LONGEST_MILLIS = 30_000;
    private static final int MOST_DOUBLINGS = 5;
    /** Twenty reads a second at most, in the long run. */
    private static final long EACH_MILLIS = 50;

    /** Longer than the longest that an instance is left alone. */
    private static final Duration REMEMBER = Duration.ofMillis(2 * MOST * EACH_MILLIS);

    private final Cache<String, Integer> reads =
            Caffeine.newBuilder().expireAfterWrite(REMEMBER).build();
    private final InstantSource clock;

    AwaitedStarts(InstantSource clock) {
        this.clock = clock;
    }

    /** It was read and had no start. Says when to read it again. */
    long setAside(String instanceId) {
        @Nullable Integer before = reads.getIfPresent(instanceId);
        if (before == null && reads.estimatedSize() >= MOST) {
            return clock.millis() + FIRST_MILLIS;
        }
        int doublings = before == null ? 0 : before;
        reads.put(instanceId, Math.min(MOST_DOUBLINGS, doublings + 1));
        long own = Math.min(LONGEST_MILLIS, FIRST_MILLIS << doublings);
        return clock.millis() + Math.max(own, reads.estimatedSize() * EACH_MILLIS);
    }

    /** It has its start, or will have it at any moment. */
    void forget(String instanceId) {
        reads.invalidate(instanceId);
    }

    boolean contains(String instanceId) {
        return reads.getIfPresent(instanceId) != null;
    }
}
