package io.sluice.provider.cosmos.turn.fetch;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.cosmos.work.WorkOutcome;
import org.jspecify.annotations.Nullable;

/**
 * What came of a candidate.
 *
 * @param turn null but for a turn that was locked
 * @param startId where it does not suit, the newest of its messages that begin an execution; null for none
 */
record FetchResult(
        @Nullable LockedTurn turn,
        WorkOutcome outcome,
        @Nullable String startId) {
    static final FetchResult AGAIN = of(new WorkOutcome.Returned(0));

    static FetchResult of(LockedTurn turn) {
        return new FetchResult(turn, new WorkOutcome.Locked(), null);
    }

    static FetchResult of(WorkOutcome outcome) {
        return new FetchResult(null, outcome, null);
    }

    /** @param sessionToken how far the replica was that showed nothing to take */
    static FetchResult nothingThere(String sessionToken) {
        return of(new WorkOutcome.NotSeen(sessionToken));
    }

    static FetchResult unsuitable(WorkOutcome.Unsuitable outcome, @Nullable String startId) {
        return new FetchResult(null, outcome, startId);
    }
}
