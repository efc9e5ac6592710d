package io.sluice.provider.cosmos.candidate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.request.SqlQuery;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.stream.LongStream;

/**
 * The oldest rows of a queue in each physical partition, by one request to each and without a query plan. Of several
 * partitions each is asked for a part of what is wanted; what comes is put in order by the caller, and is in order up to
 * where the first partition that may have more has {@linkplain #shownUntil shown all}.
 */
public final class OldestRows {
    private static final int LEAST_PER_RANGE = 4;

    private OldestRows() {}

    /**
     * What one partition answered.
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
     * What one partition answered of a queue.
     *
     * @param rows but for those that can't be read
     * @param isCut whether it may have more
     * @param most how many rows it was asked for
     */
    public record OfQueue(List<QueueRows.Row> rows, boolean isCut, int most) {
        public OfQueue {
            rows = List.copyOf(rows);
        }

        /** When the last message was queued up to which all are here; the end of time while there are no rows. */
        public long shownUntil() {
            return OldestRows.shownUntil(
                            rows.stream().mapToLong(row -> row.document().enqueuedAt()), most)
                    .orElse(Long.MAX_VALUE);
        }
    }

    /**
     * Asks all partitions.
     *
     * @param limit rows wanted of all together
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
     * Asks all partitions for what is in a queue.
     *
     * @param limit rows wanted of all together
     * @param queue reads what comes
     * @param query makes the query for so many rows that satisfy a further condition
     */
    public static List<OfQueue> read(
            ContainerRequests requests,
            Call call,
            int limit,
            QueueRows queue,
            BiFunction<Integer, String, SqlQuery> query) {
        List<String> ranges = requests.ranges(call);
        int each = perRange(limit, ranges.size());
        List<OfQueue> answers = new ArrayList<>();
        queue.search(condition -> requests.queryRanges(call, toEach(ranges, query.apply(each, condition))))
                .values()
                .forEach(part -> answers.add(new OfQueue(part.rows(), part.found() >= each, each)));
        return answers;
    }

    private static Map<String, SqlQuery> toEach(List<String> ranges, SqlQuery query) {
        Map<String, SqlQuery> queries = new LinkedHashMap<>();
        ranges.forEach(range -> queries.put(range, query));
        return queries;
    }

    /**
     * Up to where an answer that may be cut shows all there is. That need not be its last row: until the key ranges are
     * read again, one whose partition was split is answered by each of the parts, one behind the other, with as many
     * rows as were asked for. What a part keeps back is no older than that many rows of its own.
     *
     * @param values of the rows, by which each part puts them in order
     * @param most how many rows were asked for
     * @return nothing when there are no rows
     */
    public static OptionalLong shownUntil(LongStream values, int most) {
        return values.sorted().limit(most).max();
    }

    /** How many rows to ask of each: twice its share, since partitions do not age alike. */
    public static int perRange(int limit, int ranges) {
        int share = (2 * limit + ranges - 1) / Math.max(1, ranges);
        return Math.min(limit, Math.max(LEAST_PER_RANGE, share));
    }
}
