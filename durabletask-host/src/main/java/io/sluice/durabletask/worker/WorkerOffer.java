package io.sluice.durabletask.worker;

import io.sluice.durabletask.wire.Protocol.GetWorkItemsRequest;
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

    public WorkerOffer {
        limits = Map.copyOf(limits);
        filters = Map.copyOf(filters);
    }

    /**
     * Reads what a worker has sent.
     *
     * @param unsaid limit for what it leaves to the host, by one that is not above zero
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
        Map<String, Set<String>> turns = new HashMap<>();
        filters.getOrchestrationsList().forEach(filter -> add(turns, filter.getName(), filter.getVersionsList()));
        Map<String, Set<String>> activities = new HashMap<>();
        filters.getActivitiesList().forEach(filter -> add(activities, filter.getName(), filter.getVersionsList()));
        return Map.of(WorkKind.TURN, new WorkFilter(turns), WorkKind.ACTIVITY, new WorkFilter(activities));
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
