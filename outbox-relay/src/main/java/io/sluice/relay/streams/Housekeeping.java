package io.sluice.relay.streams;

import io.sluice.client.lifecycle.InstanceStatus.State;
import java.time.Duration;

/**
 * Cleans up the states of a partition: removes ended instances after the retention, finds running instances from before
 * a jump in the history, and adds ended instances of an earlier version to the index. It blocks the partition's thread,
 * so it works page by page. Used by one task.
 */
final class Housekeeping {
    /** Between two pages; a page takes some ten milliseconds. */
    static final Duration INTERVAL = Duration.ofSeconds(1);

    static final int PAGE = 1_000;

    private static final Duration LONGEST_REST = Duration.ofMinutes(1);

    /** Gets each instance that the clean-up found. */
    interface Listener {
        void removed(String instance, long nowMillis);

        /** It ran before the latest jump in the history, and has had no event since. */
        void lost(String instance, InstanceState tracked, long nowMillis);
    }

    private final InstanceStore states;
    private final StateWalk walk;
    private final Duration retention;
    private final JumpCount jumps;
    private final Listener listener;
    private long nextAtMillis;

    /** @param retention how long an ended instance is kept, zero for ever */
    Housekeeping(InstanceStore states, StateWalk walk, JumpCount jumps, Duration retention, Listener listener) {
        this.states = states;
        this.walk = walk;
        this.jumps = jumps;
        this.retention = retention;
        this.listener = listener;
    }

    /**
     * Processes a page, if there is work; to be called every {@link #INTERVAL}.
     *
     * @param hasCaughtUp if false, nothing is done: records that are not read yet may start an instance again, or end
     *     it
     */
    void tidy(long nowMillis, boolean hasCaughtUp) {
        if (nowMillis < nextAtMillis || !hasCaughtUp) {
            return;
        }
        boolean more = walk(nowMillis);
        more |= !retention.isZero() && remove(nowMillis);
        nextAtMillis = more ? nowMillis : nowMillis + interval().toMillis();
    }

    /** Begins a new walk over all states, to find instances from before a jump. */
    void restartWalk() {
        walk.restart();
        nextAtMillis = 0;
    }

    private Duration interval() {
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
