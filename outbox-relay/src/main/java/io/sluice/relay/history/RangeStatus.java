package io.sluice.relay.history;

import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.partition.RangeFailure;
import org.jspecify.annotations.Nullable;

/**
 * A key range as this replica sees it.
 *
 * @param range its part of the key space
 * @param state where its publisher stands
 * @param published events published by this publisher
 * @param pages feed pages read by it
 * @param newestSeconds the store's time ({@code _ts}, whole seconds) of the newest document read, 0 before the first
 * @param idle whether the latest page was the end of the feed
 * @param problem why it isn't publishing: its latest failure, from which it may just be recovering; null for none
 */
public record RangeStatus(
        KeyRange range,
        RangeState state,
        long published,
        long pages,
        long newestSeconds,
        boolean idle,
        @Nullable String problem) {
    /** The same with what keeps the publisher from its work. A refused position has a problem of its own. */
    RangeStatus failing(RangeFailure failure) {
        boolean isOver = state == RangeState.SPLIT || state == RangeState.ENDED || state == RangeState.PAUSED;
        return problem != null || isOver
                ? this
                : new RangeStatus(
                        range,
                        state,
                        published,
                        pages,
                        newestSeconds,
                        idle,
                        failure.text(state != RangeState.PUBLISHING).orElse(null));
    }
}
