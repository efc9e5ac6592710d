package io.sluice.durabletask.worker;

import io.grpc.Status;
import io.sluice.durabletask.wire.Protocol.ActivityFilter;
import io.sluice.durabletask.wire.Protocol.GetWorkItemsRequest;
import io.sluice.durabletask.wire.Protocol.OrchestrationFilter;
import io.sluice.durabletask.wire.Protocol.WorkItemFilters;
import io.sluice.durabletask.wire.Protocol.WorkerCapability;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What a worker says that it takes.
 *
 * @param limits how many of each kind it takes at once
 * @param filters which of each kind
 * @param streamsHistory whether it can fetch a long history apart from its turn
 */
public record WorkerOffer(Map<WorkKind, Integer> limits, Map<WorkKind, WorkFilter> filters, boolean streamsHistory) {
    /** How many of each kind a worker gets that leaves it to the host, if nothing else is set. */
    public static final int LIMIT = 100;
    /** Most names and versions of all filters together; far more than a query of the store has room for. */
    private static final int MAX_FILTERS = 10_000;
    /** Most bytes of these. */
    private static final int MAX_FILTER_BYTES = 1 << 20;

    public WorkerOffer {
        limits = Map.copyOf(limits);
        filters = Map.copyOf(filters);
    }

    /**
     * Reads what a worker has sent.
     *
     * @param unsaid limit for what it leaves to the host, by one that is not above zero
     * @throws io.grpc.StatusRuntimeException INVALID_ARGUMENT when its filters are too large
     */
    public static WorkerOffer of(GetWorkItemsRequest request, int unsaid) {
        return new WorkerOffer(
                Map.of(
                        WorkKind.TURN, limit(request.getMaxConcurrentOrchestrationWorkItems(), unsaid),
                        WorkKind.ACTIVITY, limit(request.getMaxConcurrentActivityWorkItems(), unsaid)),
                request.hasWorkItemFilters() ? filters(request.getWorkItemFilters()) : Map.of(),
                request.getCapabilitiesList().contains(WorkerCapability.WORKER_CAPABILITY_HISTORY_STREAMING));
    }

    private static int limit(int said, int unsaid) {
        return said > 0 ? said : unsaid;
    }

    private static Map<WorkKind, WorkFilter> filters(WorkItemFilters filters) {
        checkSize(filters);
        Map<String, Set<String>> turns = new HashMap<>();
        filters.getOrchestrationsList().forEach(filter -> add(turns, filter.getName(), filter.getVersionsList()));
        Map<String, Set<String>> activities = new HashMap<>();
        filters.getActivitiesList().forEach(filter -> add(activities, filter.getName(), filter.getVersionsList()));
        return Map.of(WorkKind.TURN, new WorkFilter(turns), WorkKind.ACTIVITY, new WorkFilter(activities));
    }

    private static void checkSize(WorkItemFilters filters) {
        long count = 0;
        long bytes = 0;
        for (OrchestrationFilter filter : filters.getOrchestrationsList()) {
            count += 1 + filter.getVersionsCount();
            bytes += filter.getSerializedSize();
        }
        for (ActivityFilter filter : filters.getActivitiesList()) {
            count += 1 + filter.getVersionsCount();
            bytes += filter.getSerializedSize();
        }
        check("names and versions", count, MAX_FILTERS);
        check("bytes", bytes, MAX_FILTER_BYTES);
    }

    private static void check(String what, long had, long limit) {
        if (had > limit) {
            throw Status.INVALID_ARGUMENT
                    .withDescription("workItemFilters: the filters of orchestrations and activities must have at most "
                            + limit + " " + what + " together, had " + had)
                    .asRuntimeException();
        }
    }

    private static void add(Map<String, Set<String>> filter, String name, Iterable<String> versions) {
        versions.forEach(filter.computeIfAbsent(name, added -> new HashSet<>())::add);
    }

    /** How many of a kind it takes at once. */
    int limit(WorkKind kind) {
        return limits.getOrDefault(kind, LIMIT);
    }

    /** Which of a kind it takes. */
    WorkFilter filter(WorkKind kind) {
        return filters.getOrDefault(kind, WorkFilter.ALL);
    }
}
