package io.sluice.relay.sweep;

import io.sluice.relay.feed.KeyRange;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * A round is over when each range was swept whole since it began: a source that was not found in it has no intents.
 * Thread-safe.
 */
final class SweepRound {
    private final FoundSources delivery;
    private final Set<KeyRange> open = new HashSet<>();
    private long begunMillis;

    SweepRound(FoundSources delivery) {
        this.delivery = delivery;
    }

    /** Begins a round if none is open. */
    synchronized void begin(Collection<KeyRange> ranges, long nowMillis) {
        if (open.isEmpty() && !ranges.isEmpty()) {
            open.addAll(ranges);
            begunMillis = nowMillis;
            delivery.beginSweep();
        }
    }

    /** A range was swept whole, by a sweep that began at a time. */
    synchronized void swept(KeyRange range, long sinceMillis) {
        if (sinceMillis >= begunMillis) {
            leave(range);
        }
    }

    /** A range is swept by another replica. */
    synchronized void leave(KeyRange range) {
        if (open.remove(range) && open.isEmpty()) {
            delivery.endSweep();
        }
    }
}
