package io.sluice.relay.streams;

import io.sluice.client.lifecycle.InstanceStatus.State;
import java.time.Duration;

/**
 * Removes ended instances whose time is over, a page at a time, as it takes the partition's thread; finds those that
 * ran before the history was jumped over; and enters what an earlier version ended into the index that it is found by.
 * Used by one task.
 */
final class Housekeeping {
    /** Between two pages while there are more; a page takes some ten milliseconds. */
    static final Duration INTERVAL = Duration.ofSeconds(1);

    static final int PAGE = 1_000;

    private static final Duration LONGEST_REST = Duration.ofMinutes(1);

    /** Is told what was found. */
    interface Listener {
        void removed(String instance, long nowMillis);

        /** It ran before the latest jump, and nothing was heard of it since. */
        void lost(String instance, Tracked tracked, long nowMillis);
    }

    private final InstanceStates states;
    private final StateWalk walk;
    private final Duration retention;
    private final JumpCount jumps;
    private final Listener listener;
    private long restsUntilMillis;

    /** @param retention how long an ended instance is kept, zero for ever */
    Housekeeping(InstanceStates states, StateWalk walk, JumpCount jumps, Duration retention, Listener listener) {
        this.states = states;
        this.walk = walk;
        this.jumps = jumps;
        this.retention = retention;
        this.listener = listener;
    }

    /**
     * Does a page of what there is to do, if any; to be called every {@link #INTERVAL}.
     *
     * @param hasCaughtUp else nothing is done: what waits to be read may begin an instance again, or tell how it ended
     */
    void tidy(long nowMillis, boolean hasCaughtUp) {
        if (nowMillis < restsUntilMillis || !hasCaughtUp) {
            return;
        }
        boolean more = walk(nowMillis);
        more |= !retention.isZero() && remove(nowMillis);
        restsUntilMillis = more ? nowMillis : nowMillis + rest().toMillis();
    }

    /** Looks at all states once more, for those that ran before a jump. */
    void jumped() {
        walk.restart();
        restsUntilMillis = 0;
    }

    private Duration rest() {
        var quarter = retention.dividedBy(4);
        return retention.isZero() || quarter.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : quarter;
    }

    private boolean walk(long nowMillis) {
        var page = walk.next(nowMillis);
        long jumped = jumps.count();
        for (var each : page) {
            if (each.value.status().state() != State.RUNNING) {
                states.enterEnded(each.key, each.value, nowMillis);
            } else if (each.value.isFromBefore(jumped)) {
                listener.lost(each.key, each.value, nowMillis);
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
