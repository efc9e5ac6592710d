package io.sluice.emulator.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.query.value.JsonValues;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a client merges the results of several partitions: what the gateway answers to a query plan request.
 *
 * @param distinctType {@code None}, {@code Ordered} (equal results follow each other) or {@code Unordered}
 * @param top rows to keep of the merged result; null for all
 * @param offset rows to skip of the merged result; null without OFFSET
 * @param limit rows to keep after them; null without LIMIT
 * @param orderBy {@code Ascending} or {@code Descending} for each expression of ORDER BY
 * @param orderByExpressions the texts of ORDER BY, which a client puts into the filter by which it resumes
 * @param groupByExpressions the texts of GROUP BY
 * @param groupByAliases the columns of a grouped or aggregated result, in order
 * @param aggregates the aggregate of a VALUE query
 * @param groupByAliasToAggregateType for each column its aggregate, or null for one that is the same in the whole group
 * @param rewrittenQuery what the client asks of each partition; empty = the query as it is
 * @param hasSelectValue true when results are bare values
 * @param dCountAlias the column that counts distinct results; empty for a VALUE query, null when nothing is so counted
 * @param requiredFeatures what the client must be able to do, by the names of the supported-query-features header
 */
public record QueryPlan(
        String distinctType,
        @Nullable Long top,
        @Nullable Long offset,
        @Nullable Long limit,
        List<String> orderBy,
        List<String> orderByExpressions,
        List<String> groupByExpressions,
        List<String> groupByAliases,
        List<String> aggregates,
        Map<String, @Nullable String> groupByAliasToAggregateType,
        String rewrittenQuery,
        boolean hasSelectValue,
        @Nullable String dCountAlias,
        List<String> requiredFeatures) {
    private static final int VERSION = 2;
    private static final String NOT_DISTINCT = "None";

    /** Copies the collections. */
    public QueryPlan {
        orderBy = List.copyOf(orderBy);
        orderByExpressions = List.copyOf(orderByExpressions);
        groupByExpressions = List.copyOf(groupByExpressions);
        groupByAliases = List.copyOf(groupByAliases);
        aggregates = List.copyOf(aggregates);
        // Not Map.copyOf: it refuses the null of a column without an aggregate.
        groupByAliasToAggregateType = Collections.unmodifiableMap(new LinkedHashMap<>(groupByAliasToAggregateType));
        requiredFeatures = List.copyOf(requiredFeatures);
    }

    /**
     * A range of effective partition keys in which results can be.
     *
     * @param min the lower bound in hexadecimal digits, empty for the lowest
     * @param max the upper bound, {@code FF} for the highest
     */
    public record Range(String min, String max, boolean isMinInclusive, boolean isMaxInclusive) {
        /** Every partition key. */
        public static final Range ALL = new Range("", "FF", true, false);

        /** The one effective partition key. */
        public static Range point(String effectiveKey) {
            return new Range(effectiveKey, effectiveKey, true, true);
        }
    }

    /**
     * True when the partitions' results, one after the other, are the result: a gateway can answer the query itself.
     */
    public boolean isPassThrough() {
        return requiredFeatures.isEmpty();
    }

    /** The answer to a query plan request, over these ranges of partition keys. */
    public ObjectNode toJson(List<Range> queryRanges) {
        ObjectNode plan = JsonValues.object();
        plan.put("partitionedQueryExecutionInfoVersion", VERSION);
        plan.set("queryInfo", queryInfo());
        ArrayNode ranges = plan.putArray("queryRanges");
        for (Range range : queryRanges) {
            ranges.addObject()
                    .put("min", range.min())
                    .put("max", range.max())
                    .put("isMinInclusive", range.isMinInclusive())
                    .put("isMaxInclusive", range.isMaxInclusive());
        }
        return plan;
    }

    private ObjectNode queryInfo() {
        ObjectNode info = JsonValues.object();
        info.put("distinctType", distinctType);
        info.put("top", top);
        info.put("offset", offset);
        info.put("limit", limit);
        orderBy.forEach(info.putArray("orderBy")::add);
        orderByExpressions.forEach(info.putArray("orderByExpressions")::add);
        groupByExpressions.forEach(info.putArray("groupByExpressions")::add);
        groupByAliases.forEach(info.putArray("groupByAliases")::add);
        aggregates.forEach(info.putArray("aggregates")::add);
        ObjectNode types = info.putObject("groupByAliasToAggregateType");
        groupByAliasToAggregateType.forEach(types::put);
        info.put("rewrittenQuery", rewrittenQuery);
        info.put("hasSelectValue", hasSelectValue);
        info.put("hasNonStreamingOrderBy", false);
        if (dCountAlias == null) {
            info.putNull("dCountInfo");
        } else {
            info.putObject("dCountInfo").put("dCountAlias", dCountAlias);
        }
        return info;
    }

    /** Collects the parts of a plan; a part that is not set is as in a plain query. */
    static final class Draft {
        String distinctType = NOT_DISTINCT;

        @Nullable
        Long top;

        @Nullable
        Long offset;

        @Nullable
        Long limit;

        List<String> orderBy = List.of();
        List<String> orderByExpressions = List.of();
        List<String> groupByExpressions = List.of();
        List<String> groupByAliases = List.of();
        List<String> aggregates = List.of();
        Map<String, @Nullable String> groupByAliasToAggregateType = Map.of();
        String rewrittenQuery = "";
        boolean hasSelectValue;

        @Nullable
        String dCountAlias;

        final List<String> requiredFeatures = new ArrayList<>();

        QueryPlan finish() {
            return new QueryPlan(
                    distinctType,
                    top,
                    offset,
                    limit,
                    orderBy,
                    orderByExpressions,
                    groupByExpressions,
                    groupByAliases,
                    aggregates,
                    groupByAliasToAggregateType,
                    rewrittenQuery,
                    hasSelectValue,
                    dCountAlias,
                    requiredFeatures);
        }
    }
}
