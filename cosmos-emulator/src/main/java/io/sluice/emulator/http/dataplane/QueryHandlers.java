package io.sluice.emulator.http.dataplane;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.message.DocumentPage;
import io.sluice.emulator.http.message.Headers;
import io.sluice.emulator.http.message.QueryRequest;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.http.message.WireResponse;
import io.sluice.emulator.query.CosmosQuery;
import io.sluice.emulator.query.QueryPlan;
import io.sluice.emulator.query.QuerySyntaxException;
import io.sluice.emulator.store.Container;
import io.sluice.emulator.store.key.EpkRange;
import io.sluice.emulator.store.key.PartitionKey;
import io.sluice.emulator.store.policy.IndexingPolicy;
import io.sluice.emulator.throughput.RequestUnits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Queries, their plans, and pages of all items. */
public final class QueryHandlers {
    private static final int CROSS_PARTITION_NOT_SERVABLE = 1004;
    private static final int DEFAULT_PAGE = 100;
    private static final int DYNAMIC_PAGE = 1000;
    private static final String ALL_ITEMS = "SELECT * FROM c";

    private final RequestTargets targets;
    private final QueryPager pages = new QueryPager();

    /** @param targets resolves what a query addresses */
    public QueryHandlers(RequestTargets targets) {
        this.targets = targets;
    }

    /** Plans a query over several partitions for the client. */
    public WireResponse plan(WireRequest request) {
        var target = targets.resolve(request);
        var query = QueryRequest.parse(request);
        try {
            var key = target.key() == null ? keyInFilter(query, target) : target.key();
            var range = range(target.container(), key);
            var plan = query.plan();
            refuseUnsupported(plan, request);
            return WireResponse.json(200, plan.toJson(List.of(range))).charge(RequestUnits.METADATA);
        } catch (QuerySyntaxException e) {
            throw QueryRequest.badRequest(e);
        }
    }

    /** A client that can't merge as the plan says would take the partitions' parts for results. */
    private static void refuseUnsupported(QueryPlan plan, WireRequest request) {
        var supported = request.list(Headers.SUPPORTED_QUERY_FEATURES);
        var missing = plan.requiredFeatures().stream()
                .filter(feature -> !supported.contains(feature))
                .map(feature -> "Query contained " + feature + ", which the calling client does not support.")
                .toList();
        if (!missing.isEmpty()) {
            throw StatusException.badRequest("Query contains 1 or more unsupported features. Upgrade your SDK to a"
                    + " version that does support the requested features:\r\n" + String.join("\r\n", missing));
        }
    }

    private static QueryPlan.Range range(Container container, @Nullable PartitionKey key) {
        if (key == null) {
            return QueryPlan.Range.ALL;
        }
        if (container.properties().partitionKey().isComplete(key)) {
            return QueryPlan.Range.point(container.effectiveKey(key));
        }
        var keys = container.effectiveRange(key);
        return new QueryPlan.Range(keys.min(), keys.max(), true, false);
    }

    /** Runs a query and returns a page of its results. */
    public WireResponse query(WireRequest request) {
        var target = targets.resolve(request);
        var query = QueryRequest.parse(request);
        var order = query.orderedPaths().stream()
                .map(path -> new IndexingPolicy.CompositePath(path.names(), path.descending()))
                .toList();
        target.container().properties().indexing().checkOrder(order);
        try {
            return page(request, target, query, slices(request, target, query));
        } catch (QuerySyntaxException e) {
            throw QueryRequest.badRequest(e);
        }
    }

    /** Reads a page of all items. */
    public WireResponse readFeed(WireRequest request) {
        var target = targets.resolve(request);
        var query = CosmosQuery.parse(ALL_ITEMS, Map.of());
        return page(request, target, query, PartitionSlice.requested(target, request));
    }

    /** The slices to read. A page comes from one slice; the query continues with the next. */
    private static List<PartitionSlice> slices(WireRequest request, RequestTarget target, CosmosQuery query) {
        var named = PartitionSlice.requested(target, request);
        if (named.size() == 1 && PartitionSlice.isNamed(target, request)) {
            return named;
        }
        var key = keyInFilter(query, target);
        if (key != null) {
            return List.of(PartitionSlice.of(target, key));
        }
        if (target.key() == null) {
            QueryRequest.checkAllKeysAllowed(request);
        }
        if (!query.plan().isPassThrough()) {
            throw new StatusException(
                            400,
                            CROSS_PARTITION_NOT_SERVABLE,
                            "The provided cross partition query can not be directly served by the gateway. This is a"
                                    + " first chance (internal) exception that all newer clients will know how to"
                                    + " handle gracefully. This exception is traced, but unless you see it bubble up"
                                    + " as an exception (which only happens on older SDK clients), then you can"
                                    + " safely ignore this message.")
                    .withAdditionalInfo(
                            query.plan().toJson(List.of(QueryPlan.Range.ALL)).toString());
        }
        return named;
    }

    private WireResponse page(
            WireRequest request, RequestTarget target, CosmosQuery query, List<PartitionSlice> slices) {
        var all = new EpkRange(
                slices.get(0).extent().min(),
                slices.get(slices.size() - 1).extent().max());
        var from = from(request, all);
        var slice = from == null ? slices.get(0) : first(slices, from);
        var partition = slice.partition();
        target.admit(partition);
        SessionTokens.check(request, partition);
        int asked = request.number(Headers.MAX_ITEM_COUNT, DEFAULT_PAGE);
        var source = QuerySource.of(
                slice, query, target.container().properties().computed(), asked <= 0 ? DYNAMIC_PAGE : asked);
        var page = new DocumentPage(target.container().rid());
        var next = from == null ? null : from.after(slice.extent(), pages.page(query, source, from, page));
        var response = page.toResponse()
                .charge(RequestUnits.query(page.count(), page.sizeBytes(), page.asked(), page.askedBytes()));
        if (request.isSet(Headers.POPULATE_QUERY_METRICS)) {
            boolean indexOnly = query.isIndexOnlyCount(target.container().properties()::isIndexed);
            response.header(Headers.QUERY_METRICS, page.metrics(indexOnly));
        }
        if (request.isSet(Headers.DIRECT_EXECUTION)) {
            response.header(Headers.REQUIRES_DISTRIBUTION, "False");
        }
        boolean isSecondVersion = request.isSet(Headers.POPULATE_INDEX_METRICS_V2);
        if (isSecondVersion || request.isSet(Headers.POPULATE_INDEX_METRICS)) {
            var metrics = IndexMetrics.of(query, target.container().properties(), target.key() != null);
            response.header(Headers.INDEX_METRICS, isSecondVersion ? metrics.secondVersion() : metrics.firstVersion());
        }
        if (next != null) {
            response.header(Headers.CONTINUATION, next.text());
        }
        return target.respond(partition, source.view().lsn(), response, request);
    }

    /** Where to continue, or null when the requested part of the key space has been read already. */
    private static @Nullable QueryContinuation from(WireRequest request, EpkRange all) {
        var given = QueryContinuation.parse(request.header(Headers.CONTINUATION));
        return given == null ? QueryContinuation.startOf(all) : given.within(all);
    }

    /** The slice in which a continuation begins, cut to what the continuation still has to read there. */
    private static PartitionSlice first(List<PartitionSlice> slices, QueryContinuation from) {
        for (var slice : slices) {
            if (slice.key() != null || from.head().keys().isPoint()) {
                return slice;
            }
            if (slice.extent().isPoint()
                    || slice.extent().contains(from.head().keys().min())) {
                return slice.within(from.head().keys());
            }
        }
        throw StatusException.badRequest("The continuation token belongs to another part of the key space.");
    }

    /** The only partition key whose items can pass the filter, or null when the filter does not name it. */
    private static @Nullable PartitionKey keyInFilter(CosmosQuery query, RequestTarget target) {
        var values = new ArrayList<JsonNode>();
        var properties = target.container().properties();
        for (var path : properties.partitionKey().paths()) {
            var value = query.partitionKeyEquality("/" + String.join("/", path));
            if (properties.computed().isComputed(path)
                    || value.isEmpty()
                    || value.get().isContainerNode()) {
                return null;
            }
            values.add(value.get());
        }
        return PartitionKey.of(values);
    }
}
