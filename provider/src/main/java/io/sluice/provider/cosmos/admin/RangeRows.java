package io.sluice.provider.cosmos.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.document.Fields;
import io.sluice.provider.request.SqlQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one partition's part of a page: rows in the order of the query, complete up to a place. The store
 * sorts by one property alone, the time of creation. Where an answer is filled by instances of one millisecond, those
 * are asked for in the order of their ids, from where the page begins: so a page costs the same however many there are.
 * Not thread-safe.
 */
final class RangeRows {
    private final HeadQuery query;
    private final Comparator<PageKey> order;
    private final @Nullable PageKey after;
    private final List<ObjectNode> rows = new ArrayList<>();
    /** No row up to here lacks; null for none. Without an id before all instances of the time. */
    private @Nullable PageKey completeUpTo;

    private boolean isById;
    private int most;
    private boolean isWhole;

    /**
     * Nothing is known yet.
     *
     * @param order of the query's pages
     * @param after where the page begins; null for the query's own beginning
     * @param most rows to ask for first
     */
    RangeRows(HeadQuery query, Comparator<PageKey> order, @Nullable PageKey after, int most) {
        this.query = query;
        this.order = order;
        this.after = after;
        this.completeUpTo = after == null ? null : new PageKey(after.createdAt(), "");
        this.most = most;
    }

    /** The query for what comes next. */
    SqlQuery next() {
        PageKey from = completeUpTo;
        if (from != null && isById) {
            return query.ofMoment(from.createdAt(), from.instanceId(), most);
        }
        return query.from(from == null ? null : from.createdAt(), most);
    }

    /**
     * Adds the answer to what was asked. A row that a cut answer keeps back comes no sooner than as many rows as were
     * asked for. (After a split each of two partitions answers with as many rows as were asked for.)
     */
    void add(List<ObjectNode> answer) {
        List<ObjectNode> sorted = answer.stream()
                .sorted(Comparator.comparing(RangeRows::place, order))
                .toList();
        boolean isCut = sorted.size() >= most;
        if (isById) {
            addById(isCut ? sorted.subList(0, most) : sorted, isCut);
        } else if (isCut) {
            addBefore(createdAt(sorted.get(most - 1)), sorted);
        } else {
            rows.addAll(sorted);
            isWhole = true;
        }
    }

    private void addById(List<ObjectNode> answer, boolean isCut) {
        rows.addAll(answer);
        if (isCut) {
            completeUpTo = place(answer.get(answer.size() - 1));
            most = 2 * most;
        } else if (completeUpTo != null) {
            isById = false;
            completeUpTo = new PageKey(query.behind(completeUpTo.createdAt()), "");
        }
    }

    /** The store may have kept back any row of the last one's time. */
    private void addBefore(long cutAt, List<ObjectNode> sorted) {
        PageKey first = new PageKey(cutAt, "");
        List<ObjectNode> before = sorted.stream()
                .filter(row -> order.compare(place(row), first) < 0)
                .toList();
        rows.addAll(before);
        isById = before.size() < most / 2;
        String id = after != null && after.createdAt() == cutAt ? after.instanceId() : "";
        completeUpTo = new PageKey(cutAt, isById ? id : "");
        most = isById ? most : 2 * most;
    }

    /** Whether there are no more rows. */
    boolean isWhole() {
        return isWhole;
    }

    /** Whether rows before this one in the order may be missing; null: any rows. */
    boolean lacks(@Nullable PageKey row) {
        return !isWhole && (row == null || completeUpTo == null || order.compare(completeUpTo, row) < 0);
    }

    List<ObjectNode> rows() {
        return rows;
    }

    static long createdAt(ObjectNode row) {
        return row.path(Fields.CREATED_AT).asLong();
    }

    /** The row's place in the order. */
    static PageKey place(ObjectNode row) {
        return new PageKey(createdAt(row), row.path(Fields.INSTANCE_ID).asText());
    }
}
