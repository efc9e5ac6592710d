package io.sluice.provider.cosmos.candidate;

import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Instances whose last turn queued several activities at once. Where this process completes them one soon after
 * another, the next turn waits for all, and takes them together: it goes on once none has completed for a moment, and
 * after five such moments anyway. It waits once: of activities that run long, or in other processes, each then gets its
 * turn as it completes. Guarded by its owner's lock.
 */
final class AwaitedCompletions {
    /** Of more the oldest are not waited for. */
    private static final int MOST = 10_000;

    /** For the sake of a turn that only needs the first of them, or an event. */
    private static final int MOST_MOMENTS = 5;

    private final InstantSource clock;
    private final Map<String, Expected> expected = new LinkedHashMap<>();
    private long momentMillis;
    private long nextDue = Long.MAX_VALUE;

    private static final class Expected {
        private int activities;
        private long firstMillis = Long.MAX_VALUE;
        private long lastMillis = Long.MIN_VALUE;

        Expected(int activities) {
            this.activities = activities;
        }
    }

    AwaitedCompletions(InstantSource clock) {
        this.clock = clock;
    }

    /** How long a moment is, from the time that a turn could be taken, or from the last completion. */
    void waitFor(long millis) {
        momentMillis = millis;
    }

    /** A turn of the instance has queued so many activities. */
    void expect(String instanceId, int activities) {
        expected.remove(instanceId);
        if (activities < 2 || momentMillis == 0) {
            return;
        }
        expected.put(instanceId, new Expected(activities));
        if (expected.size() > MOST) {
            Iterator<String> oldest = expected.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /** One of them was completed by this process. */
    void completed(String instanceId) {
        Expected one = expected.get(instanceId);
        if (one == null) {
            return;
        }
        one.lastMillis = clock.millis();
        if (--one.activities == 0) {
            expected.remove(instanceId);
        }
    }

    /** Begins to look through what could be taken now. */
    void beginLook() {
        nextDue = Long.MAX_VALUE;
    }

    /** Whether the instance, which could be taken now, waits. */
    boolean isWaiting(String instanceId, long nowMillis) {
        Expected one = expected.get(instanceId);
        if (one == null) {
            return false;
        }
        one.firstMillis = Math.min(one.firstMillis, nowMillis);
        long untilMillis = Math.min(
                one.firstMillis + MOST_MOMENTS * momentMillis,
                Math.max(one.firstMillis, one.lastMillis) + momentMillis);
        if (untilMillis <= nowMillis) {
            expected.remove(instanceId);
            return false;
        }
        nextDue = Math.min(nextDue, untilMillis);
        return true;
    }

    /** The earlier of this time and the end of the waits seen since the look began (milliseconds; null: none). */
    @Nullable
    Long earlier(@Nullable Long time) {
        if (nextDue == Long.MAX_VALUE) {
            return time;
        }
        return time == null ? nextDue : Math.min(time, nextDue);
    }
}
