package io.sluice.provider.cosmos.turn.work;

import io.sluice.provider.cosmos.search.OldestRows;
import io.sluice.provider.cosmos.turn.read.ReadyMessages;
import io.sluice.provider.request.SqlQuery;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One look through the queue of one key range, page by page; the pages are longer and longer. Used by one thread. */
final class RangeLook {
    private static final int FIRST_LONG_PAGE = 1_000;
    private static final int LONGEST_PAGE = 16_000;

    private final Horizon start;
    private final Horizon.Moment began;
    private final List<String> asked;
    private final Set<String> worthShowing = new LinkedHashSet<>();
    private int length;
    private long last;
    private boolean isStuck;
    private boolean isFurther;
    private boolean isDone;

    /**
     * Begins.
     *
     * @param start what need not be looked at
     * @param asked the instances that the horizon owes and that this look asks for
     * @param length of the first page
     */
    RangeLook(Horizon start, Horizon.Moment began, List<String> asked, int length) {
        this.start = start;
        this.began = began;
        this.asked = asked;
        this.length = Math.max(length, start.leastRows());
        this.last = start.before();
    }

    /** The query for the next page, under a further condition. */
    SqlQuery nextPage(String condition) {
        // Only from where the page before ended: all that is new would show on each page again.
        String from = isFurther ? " AND c.enqueuedAt >= @from" : "";
        SqlQuery query = ReadyMessages.query(length, condition + Horizon.condition(asked) + from)
                .with("@now", began.millis());
        return start.with(isFurther ? query.with("@from", last) : query, began, asked);
    }

    /**
     * The page is here.
     *
     * @param found how many rows it had, with what can't be read
     * @param worthShowing instances of it that the next look is to show again
     */
    void answered(List<TurnRow> rows, int found, Set<String> worthShowing) {
        this.worthShowing.addAll(worthShowing);
        isDone = found < length;
        if (!isDone) {
            int passedOver = found - rows.size();
            long reached = OldestRows.shownUntil(
                            rows.stream().mapToLong(row -> row.message().enqueuedAt()),
                            Math.max(0, length - passedOver))
                    .orElse(last);
            isStuck = reached == last;
            length = Math.max(FIRST_LONG_PAGE, isStuck ? 2 * length : Math.min(LONGEST_PAGE, 2 * length));
            isFurther |= !isStuck;
            last = reached;
        }
    }

    /** How many rows the next page may have. */
    int length() {
        return length;
    }

    /** Whether the range has no more. */
    boolean isDone() {
        return isDone;
    }

    /** When the last message was queued up to which all were shown. */
    long shownUntil() {
        return isDone ? Long.MAX_VALUE : last;
    }

    /** What the next look need not look at. */
    Horizon reached() {
        return start.moved(began, shownUntil(), isStuck && !isDone ? length : 0, asked, worthShowing);
    }
}
