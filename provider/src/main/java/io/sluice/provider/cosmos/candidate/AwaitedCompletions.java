package io.sluice.provider.cosmos.candidate;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Instances whose last turn queued several activities at once. Where this process completes them one soon after
 * another, the next turn waits a moment for all, and takes them together. It waits once: of activities that run long,
 * or in other processes, each then gets its turn as it completes. Guarded by its owner's lock.
 */
final class AwaitedCompletions {
    /** Of more the oldest are not waited for. */
    private static final int MOST = 10_000;

    private final Map<String, Expected> expected = new LinkedHashMap<>();
    private long longestMillis;
    private long nextDue = Long.MAX_VALUE;

    private static final class Expected {
        private int activities;
        private long untilMillis = Long.MAX_VALUE;

        Expected(int activities) {
            this.activities = activities;
        }
    }

    /** A turn waits for so long, from the time that it could be taken. */
    void waitFor(long millis) {
        longestMillis = millis;
    }

    /** A turn of the instance has queued so many activities. */
    void expect(String instanceId, int activities) {
        expected.remove(instanceId);
        if (activities < 2 || longestMillis == 0) {
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
        if (one != null && --one.activities == 0) {
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
        one.untilMillis = Math.min(one.untilMillis, nowMillis + longestMillis);
        if (one.untilMillis <= nowMillis) {
            expected.remove(instanceId);
            return false;
        }
        nextDue = Math.min(nextDue, one.untilMillis);
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
