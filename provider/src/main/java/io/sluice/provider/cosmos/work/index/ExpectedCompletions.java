package io.sluice.provider.cosmos.work.index;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Instances whose last turn queued several activities at once. Where this process completes them one soon after
 * another, the next turn waits for all, and takes them together: it goes on once none has completed for a moment, and
 * after five such moments anyway. It waits once: of activities that run long, or in other processes, each then gets its
 * turn as it completes.
 */
final class ExpectedCompletions {
    /** Of more the oldest are not waited for. */
    private static final int MOST = 10_000;

    /** For the sake of a turn that only needs the first of them, or an event. */
    private static final int MOST_MOMENTS = 5;

    private final long momentMillis;
    private final Map<String, Expected> expected = new LinkedHashMap<>();

    private static final class Expected {
        private int activities;
        private long firstMillis = Long.MAX_VALUE;
        private long lastMillis = Long.MIN_VALUE;

        Expected(int activities) {
            this.activities = activities;
        }
    }

    /** @param momentMillis from the time that a turn could be taken, or from the last completion; 0: none waits */
    ExpectedCompletions(long momentMillis) {
        this.momentMillis = momentMillis;
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

    /** One of them was completed by this process. Returns whether it was the last, so that nothing waits any more. */
    boolean completed(String instanceId, long nowMillis) {
        Expected one = expected.get(instanceId);
        if (one == null) {
            return false;
        }
        one.lastMillis = nowMillis;
        boolean isLast = --one.activities == 0;
        if (isLast) {
            expected.remove(instanceId);
        }
        return isLast;
    }

    /** Until when the instance, a turn of which could be taken now, waits (milliseconds); at most now: it does not. */
    long waitsUntil(String instanceId, long nowMillis) {
        Expected one = expected.get(instanceId);
        if (one == null) {
            return nowMillis;
        }
        one.firstMillis = Math.min(one.firstMillis, nowMillis);
        long untilMillis = Math.min(
                one.firstMillis + MOST_MOMENTS * momentMillis,
                Math.max(one.firstMillis, one.lastMillis) + momentMillis);
        if (untilMillis <= nowMillis) {
            expected.remove(instanceId);
        }
        return untilMillis;
    }
}
