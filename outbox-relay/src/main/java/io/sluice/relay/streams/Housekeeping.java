package io.sluice.relay.streams;

import io.sluice.client.lifecycle.InstanceStatus.State;
import java.time.Duration;

/**
 * Removes ended instances whose time is over, a page at a time, as it takes the partition's thread; and enters those that an earlier version ended
 * into the index that they are found by. Used by one task.
 */
final class Housekeeping {
    /** Between two pages while there are more; a page takes some ten milliseconds. */
    static final Duration INTERVAL = Duration.ofSeconds(1);

    static final int PAGE = 1_000;

    private static final Duration LONGEST_REST = Duration.ofMinutes(1);

    /** Is told what was removed. */
    @FunctionalInterface
    interface Removed {
        void removed(String instance, long nowMillis);
    }

    private final InstanceStates states;
    private final StateWalk walk;
    private final Duration retention;
    private final Removed listener;
    private long restsUntilMillis;

    /** @param retention how long an ended instance is kept, zero for ever */
    Housekeeping(InstanceStates states, StateWalk walk, Duration retention, Removed listener) {
        this.states = states;
        this.walk = walk;
        this.retention = retention;
        this.listener = listener;
    }

    /**
     * Does a page of what there is to do, if any; to be called every {@link #INTERVAL}.
     *
     * @param hasCaughtUp else nothing is removed: what waits to be read may begin an instance again, or tell that it was deleted
     */
    void tidy(long nowMillis, boolean hasCaughtUp) {
        if (nowMillis < restsUntilMillis) {
            return;
        }
        boolean more = walk(nowMillis);
        more |= hasCaughtUp && !retention.isZero() && remove(nowMillis);
        restsUntilMillis = more ? nowMillis : nowMillis + rest().toMillis();
    }

    private Duration rest() {
        var quarter = retention.dividedBy(4);
        return retention.isZero() || quarter.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : quarter;
    }

    private boolean walk(long nowMillis) {
        var page = walk.next(nowMillis);
        for (var each : page) {
            if (each.value.status().state() != State.RUNNING) {
                states.enterEnded(each.key, each.value, nowMillis);
            }
        }
        return !page.isEmpty();
    }

    private boolean remove(long nowMillis) {
        var over = states.endedBefore(nowMillis - retention.toMillis(), PAGE);
        for (var entry : over) {
            remove(entry, nowMillis);
        }
        return over.size() == PAGE;
    }

    private void remove(TimeIndex.Entry entry, long nowMillis) {
        var tracked = states.get(entry.instance());
        boolean isStale =
                tracked == null || tracked.status().state() == State.RUNNING || tracked.heardMillis() != entry.millis();
        if (isStale) {
            states.removeEndedEntry(entry);
        } else {
            states.remove(entry.instance());
            listener.removed(entry.instance(), nowMillis);
        }
    }
}
