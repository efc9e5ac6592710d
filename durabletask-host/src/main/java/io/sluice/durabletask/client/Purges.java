package io.sluice.durabletask.client;

import com.google.protobuf.BoolValue;
import io.sluice.durabletask.state.OrchestrationStates;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.PurgeInstanceFilter;
import io.sluice.durabletask.wire.Protocol.PurgeInstancesRequest;
import io.sluice.durabletask.wire.Protocol.PurgeInstancesResponse;
import io.sluice.provider.InstancePage;
import io.sluice.provider.InstanceQuery;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.ProviderException;
import io.sluice.provider.history.EventKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Removes instances that have ended. Those that run, and unknown ones, are passed over and not counted. Thread-safe.
 */
public final class Purges {
    private static final int PAGE = 100;
    /** Within what clients wait for by default. */
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    private final ClientContext context;
    private final States states;

    /** Of one task hub. */
    public Purges(ClientContext context, States states) {
        this.context = context;
        this.states = states;
    }

    /** Removes what the request names. */
    public PurgeInstancesResponse purge(PurgeInstancesRequest request) {
        return switch (request.getRequestCase()) {
            case INSTANCEID -> purge(Set.of(Requests.instanceId(request.getInstanceId())), request.getRecursive());
            case INSTANCEBATCH -> purge(Requests.instanceIds(request.getInstanceBatch()), request.getRecursive());
            case PURGEINSTANCEFILTER -> purge(request.getPurgeInstanceFilter(), request.getRecursive());
            case REQUEST_NOT_SET ->
                throw Requests.invalid("request: expected instanceId, instanceBatch or purgeInstanceFilter");
        };
    }

    private PurgeInstancesResponse purge(Set<String> ids, boolean recursive) {
        int count = 0;
        for (String id : ids) {
            if (states.read(id).filter(OrchestrationStates::hasEnded).isPresent()) {
                count += delete(id, recursive);
            }
        }
        return response(count, true);
    }

    private PurgeInstancesResponse purge(PurgeInstanceFilter filter, boolean recursive) {
        Instant end = context.clock().instant().plus(timeout(filter));
        Set<OrchestrationStatus> wanted = new LinkedHashSet<>(States.ENDED);
        if (filter.getRuntimeStatusCount() > 0) {
            wanted.retainAll(filter.getRuntimeStatusList());
        }
        if (wanted.isEmpty()) {
            return response(0, true);
        }
        InstanceQuery query = InstanceQuery.ALL
                .withOrder(InstanceQuery.Order.OLDEST_FIRST)
                .withExt(Queries.statuses(wanted))
                .withCreated(
                        Requests.timeOrNull(
                                "createdTimeFrom", filter.hasCreatedTimeFrom(), filter.getCreatedTimeFrom()),
                        Requests.timeOrNull("createdTimeTo", filter.hasCreatedTimeTo(), filter.getCreatedTimeTo()));
        int count = 0;
        InstancePage page = context.queries().query(query, PAGE, null);
        while (true) {
            for (InstanceSummary instance : page.instances()) {
                if (!context.clock().instant().isBefore(end)) {
                    return response(count, false);
                }
                try {
                    count += delete(instance.instanceId(), recursive);
                } catch (ProviderException e) {
                    if (!e.retryable()) {
                        throw e;
                    }
                    // Such as a relay that has not published the history yet: the caller tries again later.
                    return response(count, false);
                }
            }
            if (page.continuation() == null) {
                return response(count, true);
            }
            page = context.queries().query(query, PAGE, page.continuation());
        }
    }

    /** Removes every instance, whatever it does. */
    public void purgeAll() {
        InstancePage page = context.queries().query(InstanceQuery.ALL, PAGE, null);
        while (!page.instances().isEmpty()) {
            page.instances()
                    .forEach(instance -> context.admin().deleteInstancesAtomic(List.of(instance.instanceId()), true));
            page = context.queries().query(InstanceQuery.ALL, PAGE, null);
        }
    }

    private static Duration timeout(PurgeInstanceFilter filter) {
        return filter.hasTimeout() ? Duration.ofSeconds(filter.getTimeout().getSeconds()) : DEFAULT_TIMEOUT;
    }

    private int delete(String root, boolean recursive) {
        List<String> ids = recursive ? tree(root) : List.of(root);
        return (int) context.admin().deleteInstancesAtomic(ids, recursive).instancesDeleted();
    }

    /** The instance and all that its executions have started, and theirs. */
    private List<String> tree(String root) {
        Set<String> found = new LinkedHashSet<>(Set.of(root));
        List<String> open = new ArrayList<>(found);
        for (int i = 0; i < open.size(); i++) {
            for (String child : children(open.get(i))) {
                if (found.add(child)) {
                    open.add(child);
                }
            }
        }
        return open;
    }

    private List<String> children(String instance) {
        List<String> children = new ArrayList<>();
        for (long execution : context.admin().listExecutions(instance)) {
            context.provider().readWithExecution(instance, execution).forEach(event -> {
                if (event.kind() instanceof EventKind.SubOrchestrationScheduled child) {
                    children.add(child.instance());
                }
            });
        }
        return children;
    }

    private static PurgeInstancesResponse response(int count, boolean isComplete) {
        return PurgeInstancesResponse.newBuilder()
                .setDeletedInstanceCount(count)
                .setIsComplete(BoolValue.of(isComplete))
                .build();
    }
}
