package io.sluice.provider.cosmos.candidate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.request.SqlQuery;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.IntFunction;

/**
 * The oldest rows of a queue in each physical partition, by one request to each and without a query plan. Of several partitions each is asked for a part of
 * what is wanted; what comes is put in order by the caller, and is in order up to the last row of any partition that may have more.
 */
public final class OldestRows {
    private static final int LEAST_PER_RANGE = 4;

    private OldestRows() {}

    /**
     * What one partition answered.
     *
     * @param isCut whether it may have more
     */
    public record OfRange(List<ObjectNode> rows, boolean isCut) {
        public OfRange {
            rows = List.copyOf(rows);
        }
    }

    /**
     * What one partition answered of a queue.
     *
     * @param rows but for those that can't be read
     * @param isCut whether it may have more
     */
    public record OfQueue(List<QueueRows.Row> rows, boolean isCut) {
        public OfQueue {
            rows = List.copyOf(rows);
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
                .forEach(rows -> answers.add(new OfRange(rows, rows.size() >= each)));
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
                .forEach(part -> answers.add(new OfQueue(part.rows(), part.found() >= each)));
        return answers;
    }

    private static Map<String, SqlQuery> toEach(List<String> ranges, SqlQuery query) {
        Map<String, SqlQuery> queries = new LinkedHashMap<>();
        ranges.forEach(range -> queries.put(range, query));
        return queries;
    }

    /** How many rows to ask of each: twice its share, since partitions do not age alike. */
    public static int perRange(int limit, int ranges) {
        int share = (2 * limit + ranges - 1) / Math.max(1, ranges);
        return Math.min(limit, Math.max(LEAST_PER_RANGE, share));
    }
}
