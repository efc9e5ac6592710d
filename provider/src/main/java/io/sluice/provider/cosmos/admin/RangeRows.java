package io.sluice.provider.cosmos.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.document.Fields;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one partition's part of a page: rows in the order of the query, complete up to a time. Not
 * thread-safe.
 */
final class RangeRows {
    private final Comparator<Long> times;
    private final List<ObjectNode> rows = new ArrayList<>();
    private @Nullable Long completeBefore;
    private int most;
    private boolean isWhole;

    /**
     * Nothing is known yet.
     *
     * @param begin where the page begins; null for the query's own beginning
     * @param most rows to ask for first
     */
    RangeRows(Comparator<Long> times, @Nullable Long begin, int most) {
        this.times = times;
        this.completeBefore = begin;
        this.most = most;
    }

    /** Where to go on; null for the query's own beginning. */
    @Nullable
    Long next() {
        return completeBefore;
    }

    /** How many rows to ask for. */
    int most() {
        return most;
    }

    /**
     * Adds the answer to what was asked. A row that a cut answer keeps back comes no sooner than as many rows as were
     * asked for, and may share the time of the last of them: only what comes before that time is complete. (After a
     * split each of two partitions answers with as many rows as were asked for.)
     */
    void add(List<ObjectNode> answer) {
        List<Long> sorted =
                answer.stream().map(RangeRows::createdAt).sorted(times).toList();
        @Nullable Long cutAt = answer.size() < most ? null : sorted.get(most - 1);
        answer.stream()
                .filter(row -> cutAt == null || times.compare(createdAt(row), cutAt) < 0)
                .forEach(rows::add);
        // A whole answer of one moment is led beyond by a larger one only.
        most = 2 * most;
        isWhole = cutAt == null;
        completeBefore = cutAt;
    }

    /** Whether there are no more rows. */
    boolean isWhole() {
        return isWhole;
    }

    /** Whether rows of this time, or of an earlier one in the order, may be missing. */
    boolean lacks(@Nullable Long time) {
        return !isWhole && (time == null || completeBefore == null || times.compare(completeBefore, time) <= 0);
    }

    List<ObjectNode> rows() {
        return rows;
    }

    static long createdAt(ObjectNode row) {
        return row.path(Fields.CREATED_AT).asLong();
    }
}
