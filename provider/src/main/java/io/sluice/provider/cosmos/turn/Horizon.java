package io.sluice.provider.cosmos.turn;

import io.sluice.provider.cosmos.candidate.QueryBytes;
import io.sluice.provider.cosmos.request.SqlQuery;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * How far the queue of one key range has been looked through for what suits: every message that was ready at that moment and is older than a time need not be shown
 * again, but for those of some instances. What is written, becomes visible or loses its lock later shows all the same, so nothing is hidden by it that was
 * not looked at. Immutable.
 *
 * @param atMillis the moment, by the clock that locks and visibility go by
 * @param atServiceSeconds before the moment, by the service's own time, with room for replicas that lag
 * @param before messages enqueued before this were looked at
 * @param owed instances whose messages may be worth showing again
 * @param beganNanos when the looking through began, on the monotonic clock
 */
record Horizon(long atMillis, long atServiceSeconds, long before, Set<String> owed, long beganNanos) {
    static final String SHOWN = " AND (c.enqueuedAt >= @before OR c._ts >= @writtenSince OR c.visibleAt >= @readySince"
            + " OR c.lockedUntil >= @readySince OR ARRAY_CONTAINS(@owed, c.instanceId))";

    Horizon {
        owed = Set.copyOf(owed);
    }

    /** Nothing has been looked at. */
    static Horizon none(long nowNanos) {
        return new Horizon(0, 0, 0, Set.of(), nowNanos);
    }

    /** Those of the owed that are asked for next: none that is hidden anyway, and no more than a query has room for. */
    List<String> asked(Predicate<String> hidden) {
        List<String> wanted = owed.stream().filter(hidden.negate()).toList();
        return QueryBytes.fitting(wanted);
    }

    SqlQuery in(SqlQuery query, List<String> asked) {
        return query.with("@before", before)
                .with("@writtenSince", atServiceSeconds)
                .with("@readySince", atMillis)
                .with("@owed", new ArrayList<>(asked));
    }

    /** After a query for these owed, which showed some that may be worth showing again. */
    Horizon moved(long nowMillis, long serviceSeconds, long newBefore, List<String> asked, Collection<String> seen) {
        Set<String> left = new LinkedHashSet<>(owed);
        asked.forEach(left::remove);
        left.addAll(seen);
        return new Horizon(nowMillis, serviceSeconds, newBefore, left, beganNanos);
    }
}
