package io.sluice.provider.cosmos.turn;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.cosmos.candidate.TryOutcome;
import org.jspecify.annotations.Nullable;

/**
 * What came of a candidate: a turn, or nothing.
 *
 * @param excludedUntil until when the instance is not worth another try; 0 when it may be tried right away
 */
record FetchResult(@Nullable LockedTurn turn, long excludedUntil, TryOutcome outcome) {
    static final FetchResult NOTHING_THERE = pass(0);
    static final FetchResult AGAIN = again(0);

    static FetchResult of(LockedTurn turn) {
        return new FetchResult(turn, 0, TryOutcome.LOCKED);
    }

    /** It has messages that can't be taken yet. */
    static FetchResult again(long untilMillis) {
        return new FetchResult(null, untilMillis, TryOutcome.AGAIN);
    }

    /** It has nothing to take, until something new comes for it. */
    static FetchResult pass(long untilMillis) {
        return new FetchResult(null, untilMillis, TryOutcome.DONE);
    }
}
