package io.sluice.provider.cosmos.search;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.SqlQuery;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.stream.LongStream;

/**
 * Reads the oldest rows of a queue from each physical partition, by one request to each and without a query plan. Each
 * partition is asked for a part of the rows. The caller sorts them; the order is complete up to the row where the first
 * partition that may have more was {@linkplain #shownUntil cut}.
 */
public final class OldestRows {
    private static final int LEAST_PER_RANGE = 4;

    private OldestRows() {}

    /**
     * The rows of one partition.
     *
     * @param most how many rows it was asked for
     */
    public record OfRange(List<ObjectNode> rows, int most) {
        public OfRange {
            rows = List.copyOf(rows);
        }

        /** Whether it may have more. */
        public boolean isCut() {
            return rows.size() >= most;
        }
    }

    /**
     * The rows of a queue in one partition.
     *
     * @param rows without malformed ones
     * @param isCut whether it may have more
     * @param most how many rows it was asked for
     */
    public record OfQueue(List<QueueRows.Row> rows, boolean isCut, int most) {
        public OfQueue {
            rows = List.copyOf(rows);
        }

        /** The enqueue time up to which no message is missing; the end of time when there are no rows. */
        public long shownUntil() {
            return OldestRows.shownUntil(
                            rows.stream().mapToLong(row -> row.document().enqueuedAt()), most)
                    .orElse(Long.MAX_VALUE);
        }
    }

    /**
     * Asks all partitions.
     *
     * @param limit rows wanted from all partitions together
     * @param query makes the query for so many rows
     */
    public static List<OfRange> read(ContainerRequests requests, Call call, int limit, IntFunction<SqlQuery> query) {
        List<String> ranges = requests.ranges(call);
        int each = perRange(limit, ranges.size());
        List<OfRange> answers = new ArrayList<>();
        requests.queryRanges(call, toEach(ranges, query.apply(each)))
                .values()
                .forEach(rows -> answers.add(new OfRange(rows, each)));
        return answers;
    }

    /**
     * The rows of a queue.
     *
     * @param parts one for each partition that has answered
     * @param isWhole whether all have
     */
    public record OfAll(List<OfQueue> parts, boolean isWhole) {
        public OfAll {
            parts = List.copyOf(parts);
        }
    }

    /**
     * Asks all partitions for rows of a queue, but those that do not answer now.
     *
     * @param limit rows wanted from all partitions together
     * @param queue reads the documents
     * @param query makes the query for so many rows that satisfy a further condition
     */
    public static OfAll read(
            RangeSearch search, Call call, int limit, QueueRows queue, BiFunction<Integer, String, SqlQuery> query) {
        List<String> ranges = search.ranges(call);
        int each = perRange(limit, ranges.size());
        List<OfQueue> answers = new ArrayList<>();
        queue.search(condition -> search.ask(call, toEach(ranges, query.apply(each, condition))))
                .values()
                .forEach(part -> answers.add(new OfQueue(part.rows(), part.found() >= each, each)));
        return new OfAll(answers, answers.size() == ranges.size());
    }

    private static Map<String, SqlQuery> toEach(List<String> ranges, SqlQuery query) {
        Map<String, SqlQuery> queries = new LinkedHashMap<>();
        ranges.forEach(range -> queries.put(range, query));
        return queries;
    }

    /**
     * The value up to which an answer that may be cut lacks no row. That need not be the last row's: after a partition
     * was split, and until the key ranges are read again, each of its parts answers, one after the other, with as many
     * rows as were asked for. A row that a part keeps back is no older than that many rows of its own.
     *
     * @param values by which the rows are sorted
     * @param most how many rows were asked for
     * @return nothing when there are no rows
     */
    public static OptionalLong shownUntil(LongStream values, int most) {
        return values.sorted().limit(most).max();
    }

    /** How many rows to ask each partition for: twice its share, since the oldest rows are not spread evenly. */
    public static int perRange(int limit, int ranges) {
        int share = (2 * limit + ranges - 1) / Math.max(1, ranges);
        return Math.min(limit, Math.max(LEAST_PER_RANGE, share));
    }
}
