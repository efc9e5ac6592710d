package io.sluice.durabletask.client;

import com.google.protobuf.BoolValue;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.sluice.durabletask.state.OrchestrationStates;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.PurgeInstanceFilter;
import io.sluice.durabletask.wire.Protocol.PurgeInstancesRequest;
import io.sluice.durabletask.wire.Protocol.PurgeInstancesResponse;
import io.sluice.provider.DeleteInstanceResult;
import io.sluice.provider.InstancePage;
import io.sluice.provider.InstanceQuery;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.ProviderException;
import io.sluice.provider.history.EventKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes instances that have ended, and by their ids also those whose start is put off. Those that run, and unknown
 * ones, are skipped and not counted; a recursive purge that leaves running children says that it is not complete.
 * Thread-safe.
 */
public final class Purges {
    private static final int PAGE = 100;
    /** How often an instance is judged that changes meanwhile. */
    private static final int TRIES = 2;
    /** Within what clients wait for by default. */
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    /** For all instances of a task hub; a store that answers removes tens of thousands within it. */
    private static final Duration LONGEST_PURGE = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger(Purges.class);

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
        Tally tally = new Tally();
        for (String id : ids) {
            states.read(id).ifPresent(root -> tally.add(remove(root, recursive, this::mayGoByName)));
        }
        return tally.response(true);
    }

    /** Who names an instance that no worker can have had means it. */
    private boolean mayGoByName(InstanceSummary instance) {
        return OrchestrationStates.hasEnded(instance)
                || OrchestrationStates.isStartAhead(instance, context.clock().instant());
    }

    private PurgeInstancesResponse purge(PurgeInstanceFilter filter, boolean recursive) {
        Instant end = context.clock().instant().plus(timeout(filter));
        Set<OrchestrationStatus> wanted = new LinkedHashSet<>(States.ENDED);
        if (filter.getRuntimeStatusCount() > 0) {
            wanted.retainAll(filter.getRuntimeStatusList());
        }
        if (wanted.isEmpty()) {
            return new Tally().response(true);
        }
        InstanceQuery query = query(filter, wanted);
        Predicate<InstanceSummary> matching = instance ->
                isWithin(query, instance.createdAt()) && wanted.contains(OrchestrationStates.status(instance));
        Tally tally = new Tally();
        InstancePage page = context.queries().query(query, PAGE, null);
        while (true) {
            for (InstanceSummary instance : page.instances()) {
                if (!context.clock().instant().isBefore(end)) {
                    return tally.response(false);
                }
                try {
                    tally.add(remove(instance, recursive, matching));
                } catch (ProviderException e) {
                    // Such as a relay that has not published this history yet: it must not stop those after it each
                    // time.
                    tally.left = true;
                    passOver(instance, e);
                }
            }
            if (page.continuation() == null) {
                return tally.response(true);
            }
            page = context.queries().query(query, PAGE, page.continuation());
        }
    }

    /**
     * Removes every instance that is there now, whatever it does. The newest come first, so that those which are
     * started meanwhile are on no later page.
     *
     * @throws io.grpc.StatusRuntimeException DEADLINE_EXCEEDED when it takes too long; what was removed stays removed
     */
    public void purgeAll() {
        InstanceQuery query = InstanceQuery.ALL.withOrder(InstanceQuery.Order.NEWEST_FIRST);
        Instant end = context.clock().instant().plus(LONGEST_PURGE);
        int removed = 0;
        InstancePage page = context.queries().query(query, PAGE, null);
        while (true) {
            for (InstanceSummary instance : page.instances()) {
                if (!context.clock().instant().isBefore(end)) {
                    throw tookTooLong(removed);
                }
                context.admin().deleteInstancesAtomic(List.of(instance.instanceId()), true);
                removed++;
            }
            if (page.continuation() == null) {
                return;
            }
            page = context.queries().query(query, PAGE, page.continuation());
        }
    }

    private static StatusRuntimeException tookTooLong(int removed) {
        return Status.DEADLINE_EXCEEDED
                .withDescription(removed + " instances were removed in " + LONGEST_PURGE.toMinutes()
                        + " minutes, and more are there: call again")
                .asRuntimeException();
    }

    private static Duration timeout(PurgeInstanceFilter filter) {
        return filter.hasTimeout() ? Duration.ofSeconds(filter.getTimeout().getSeconds()) : DEFAULT_TIMEOUT;
    }

    private static InstanceQuery query(PurgeInstanceFilter filter, Set<OrchestrationStatus> wanted) {
        return InstanceQuery.ALL
                .withOrder(InstanceQuery.Order.OLDEST_FIRST)
                .withExt(Queries.statuses(wanted))
                .withCreated(
                        Requests.timeOrNull(
                                "createdTimeFrom", filter.hasCreatedTimeFrom(), filter.getCreatedTimeFrom()),
                        Requests.timeOrNull("createdTimeTo", filter.hasCreatedTimeTo(), filter.getCreatedTimeTo()));
    }

    private static boolean isWithin(InstanceQuery query, Instant created) {
        return (query.createdFrom() == null || !created.isBefore(query.createdFrom()))
                && (query.createdTo() == null || !created.isAfter(query.createdTo()));
    }

    /**
     * Removes an instance while it is wanted, and with it as much of what it has started as has ended. What was judged
     * is what goes: a member that has changed since is judged again.
     */
    private Tally remove(InstanceSummary found, boolean recursive, Predicate<InstanceSummary> wanted) {
        Tally tally = new Tally();
        Optional<InstanceSummary> root = Optional.of(found).filter(wanted);
        for (int i = 0; i < TRIES && root.isPresent(); i++) {
            PurgeTree tree = recursive ? tree(root.get()) : PurgeTree.of(found.instanceId());
            Optional<DeleteInstanceResult> removed = context.admin()
                    .deleteInstancesIf(
                            tree.members(),
                            member -> tree.mayGo(member)
                                    && (!member.instanceId().equals(tree.root()) || wanted.test(member)));
            if (removed.isPresent()) {
                // What was never begun counts for none there, and has started none.
                boolean isBegun = OrchestrationStates.hasEnded(root.get());
                tally.deleted = isBegun ? (int) removed.get().instancesDeleted() : 1;
                tally.left = !tree.running().isEmpty();
                noteRunning(tree);
                return tally;
            }
            root = states.read(found.instanceId()).filter(wanted);
        }
        tally.left = root.isPresent();
        root.ifPresent(Purges::noteChanging);
        return tally;
    }

    private static void passOver(InstanceSummary instance, ProviderException failure) {
        if (Thread.currentThread().isInterrupted()) {
            throw failure;
        }
        LOG.atWarn()
                .addKeyValue("instance", instance.instanceId())
                .setCause(failure)
                .log("an instance could not be purged and is skipped;"
                        + " the answer says that the purge is not complete");
    }

    private static void noteRunning(PurgeTree tree) {
        if (!tree.running().isEmpty()) {
            LOG.atInfo()
                    .addKeyValue("instance", tree.root())
                    .addKeyValue("count", tree.running().size())
                    .addKeyValue("running", tree.running())
                    .log("an instance was purged with those of its children that have ended; others run and stay");
        }
    }

    private static void noteChanging(InstanceSummary root) {
        LOG.atInfo()
                .addKeyValue("instance", root.instanceId())
                .log("an ended instance was not purged: it kept changing, or it has a child that waits for its first"
                        + " turn");
    }

    private PurgeTree tree(InstanceSummary root) {
        Map<String, String> parents = new LinkedHashMap<>();
        Set<String> running = new LinkedHashSet<>();
        List<String> open = new ArrayList<>(List.of(root.instanceId()));
        for (int i = 0; i < open.size(); i++) {
            String parent = open.get(i);
            for (InstanceSummary child : children(parent)) {
                String id = child.instanceId();
                if (!OrchestrationStates.hasEnded(child)) {
                    running.add(id);
                } else if (!id.equals(root.instanceId()) && parents.putIfAbsent(id, parent) == null) {
                    open.add(id);
                }
            }
        }
        return new PurgeTree(root.instanceId(), parents, running);
    }

    /** What an instance's executions have started and what still is theirs: others may have taken such an id since. */
    private List<InstanceSummary> children(String parent) {
        Set<String> named = new LinkedHashSet<>();
        for (long execution : context.admin().listExecutions(parent)) {
            context.provider().readWithExecution(parent, execution).forEach(event -> {
                if (event.kind() instanceof EventKind.SubOrchestrationScheduled child) {
                    named.add(child.instance());
                }
            });
        }
        return named.stream()
                .flatMap(child -> states.read(child).stream())
                .filter(child -> PurgeTree.isChild(child, parent))
                .toList();
    }

    /** What has become of instances. */
    private static final class Tally {
        private int deleted;
        private boolean left;

        void add(Tally other) {
            deleted += other.deleted;
            left |= other.left;
        }

        PurgeInstancesResponse response(boolean isComplete) {
            return PurgeInstancesResponse.newBuilder()
                    .setDeletedInstanceCount(deleted)
                    .setIsComplete(BoolValue.of(isComplete && !left))
                    .build();
        }
    }
}
