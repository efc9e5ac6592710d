package io.sluice.provider.cosmos.candidate;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The times (milliseconds) at which messages of this process become visible. It keeps 10 000 and drops further ones,
 * whose messages a query finds. Guarded by its owner's lock.
 */
final class DueTimes {
    private static final int MOST = 10_000;

    private final PriorityQueue<Long> times = new PriorityQueue<>();

    void add(long millis) {
        if (times.size() < MOST) {
            times.add(millis);
        }
    }

    /** The earliest time; null when there is none. */
    @Nullable
    Long first() {
        return times.peek();
    }

    /** Removes the times that have come. Returns whether there were any. */
    boolean removePast(long nowMillis) {
        boolean removed = false;
        for (Long first = times.peek(); first != null && first <= nowMillis; first = times.peek()) {
            times.remove();
            removed = true;
        }
        return removed;
    }
}
