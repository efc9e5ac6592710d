package io.sluice.provider.cosmos.turn;

import io.sluice.provider.LockedTurn;
import org.jspecify.annotations.Nullable;

/**
 * What came of a candidate: a turn, or nothing.
 *
 * @param excludedUntil until when the instance is not worth another look; 0 when it may be looked at right away
 */
record FetchResult(@Nullable LockedTurn turn, long excludedUntil) {
    static final FetchResult NOTHING_THERE = new FetchResult(null, 0);

    static FetchResult of(LockedTurn turn) {
        return new FetchResult(turn, 0);
    }

    static FetchResult skip(long untilMillis) {
        return new FetchResult(null, untilMillis);
    }
}
