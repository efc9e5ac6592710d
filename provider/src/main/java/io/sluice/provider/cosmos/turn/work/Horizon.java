package io.sluice.provider.cosmos.turn.work;

import io.sluice.provider.cosmos.search.QueryBytes;
import io.sluice.provider.request.SqlQuery;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * How far the queue of one key range has been looked through for what suits: every message that was ready at that
 * moment and is older than a time need not be shown again, but for the messages of some instances. What is written,
 * becomes visible or loses its lock later shows all the same, so nothing is hidden by it that was not looked at.
 * Immutable.
 *
 * @param at the moment
 * @param recheckedAt the moment of the last look that allowed for replicas that lag
 * @param before messages enqueued before this were looked at
 * @param owed instances whose messages may be worth showing again
 * @param leastRows how many rows the next look is to ask for at once, to get past a millisecond in which more messages
 *     were queued than the look before had room for; 0: however few
 * @param beganNanos when the looking through began, on the monotonic clock
 */
record Horizon(Moment at, Moment recheckedAt, long before, Set<String> owed, int leastRows, long beganNanos) {
    private static final String SHOWN = " AND (c.enqueuedAt >= @before OR c._ts >= @writtenSince"
            + " OR c.visibleAt >= @readySince OR c.lockedUntil >= @readySince%s)";
    private static final String OWED = " OR c.instanceId IN (@owed)";
    /** What surely fits into a query, each with its parameter. */
    private static final int MOST_OWED = 1_000;

    /** The service's time is known to about a second, and it notes whole seconds. */
    private static final long CLOCK_SECONDS = 3;
    /** How long a message that was written may be missing on a replica. */
    private static final long LAG_SECONDS = 15;

    private static final long RECHECK_NANOS = Duration.ofSeconds(LAG_SECONDS).toNanos();

    /**
     * One moment by three clocks.
     *
     * @param millis by the clock that locks and visibility go by
     * @param serviceSeconds by the service's own time
     * @param nanos on the monotonic clock
     */
    record Moment(long millis, long serviceSeconds, long nanos) {}

    Horizon {
        owed = Set.copyOf(owed);
    }

    /** Nothing has been looked at. */
    static Horizon none(long nowNanos) {
        Moment never = new Moment(0, 0, nowNanos);
        return new Horizon(never, never, 0, Set.of(), 0, nowNanos);
    }

    /**
     * The owed instances that are asked for next: none that is hidden anyway, and no more than a query has room for.
     */
    List<String> asked(Predicate<String> hidden) {
        List<String> wanted = owed.stream().filter(hidden.negate()).toList();
        return QueryBytes.fitting(wanted.subList(0, Math.min(wanted.size(), MOST_OWED)));
    }

    /** What a query must ask for, for {@link #with}: all that a horizon does not hide. */
    static String condition(List<String> asked) {
        return SHOWN.formatted(asked.isEmpty() ? "" : OWED);
    }

    /** The values of the condition, for a look that begins now. */
    SqlQuery with(SqlQuery query, Moment now, List<String> asked) {
        SqlQuery bound = query.with("@before", before)
                .with("@writtenSince", writtenSince(now))
                .with("@readySince", at.millis());
        return asked.isEmpty() ? bound : bound.withEach("@owed", asked);
    }

    /**
     * Messages that came late to a replica are looked for four times a minute only: until then everything that was
     * written within their time shows again, and that may be much.
     */
    private long writtenSince(Moment now) {
        return isRecheck(now) ? recheckedAt.serviceSeconds() - LAG_SECONDS : at.serviceSeconds() - CLOCK_SECONDS;
    }

    private boolean isRecheck(Moment now) {
        return now.nanos() - recheckedAt.nanos() >= RECHECK_NANOS;
    }

    /**
     * After a look that began then, reached so far, asked for these owed, and saw some instances that may be worth
     * showing again.
     */
    Horizon moved(Moment began, long newBefore, int newLeastRows, List<String> asked, Collection<String> seen) {
        Set<String> left = new LinkedHashSet<>(owed);
        asked.forEach(left::remove);
        left.addAll(seen);
        boolean isFirst = at.millis() == 0;
        return new Horizon(
                began, isFirst || isRecheck(began) ? began : recheckedAt, newBefore, left, newLeastRows, beganNanos);
    }
}
