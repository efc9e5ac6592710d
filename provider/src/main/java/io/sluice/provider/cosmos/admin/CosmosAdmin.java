package io.sluice.provider.cosmos.admin;

import io.sluice.provider.DeleteInstanceResult;
import io.sluice.provider.ExecutionInfo;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.InstanceFilter;
import io.sluice.provider.InstanceInfo;
import io.sluice.provider.InstanceQueries;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.InstanceTree;
import io.sluice.provider.MalformedQueueDocument;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ProviderException;
import io.sluice.provider.PruneOptions;
import io.sluice.provider.PruneResult;
import io.sluice.provider.QueueDepths;
import io.sluice.provider.SystemMetrics;
import io.sluice.provider.cosmos.deletion.Deletions;
import io.sluice.provider.cosmos.staged.TurnFinisher;
import io.sluice.provider.cosmos.turn.Turns;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Operations;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The admin operations over one container. Thread-safe. */
public final class CosmosAdmin implements ProviderAdmin {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration PATIENCE_WITH_ALL = Duration.ofSeconds(60);
    private static final Duration FAILURES_IN_A_ROW = Duration.ofMinutes(10);

    private final Turns turns;
    private final Heads heads;
    private final Executions executions;
    private final Counts counts;
    private final MalformedDocuments malformed;
    private final Trees trees;
    private final Pruning pruning;
    private final Operations operations;
    private final Removals removals;
    private final BulkOperations bulk;
    private final Duration patienceToRemove;
    private final CosmosQueries queries;

    /** Wires the parts; no request is made. */
    public CosmosAdmin(
            ContainerRequests requests, Operations operations, Turns turns, Deletions deletions, InstantSource clock) {
        this.operations = operations;
        this.turns = turns;
        heads = new Heads(requests, deletions, new TurnFinisher(requests, clock));
        executions = new Executions(requests);
        malformed = new MalformedDocuments(requests);
        counts = new Counts(requests, heads, clock);
        trees = new Trees(heads);
        pruning = new Pruning(requests, heads, executions, deletions);
        queries = new CosmosQueries(requests, operations, turns, heads);
        removals = new Removals(deletions, turns.queue()::startFor);
        Duration wait = deletions.gate().longestWait();
        patienceToRemove = PATIENCE_WITH_ALL.plus(wait);
        bulk = new BulkOperations(
                new Selection(heads, executions),
                trees,
                removals,
                pruning,
                new FailuresInBulk.Patience(patienceToRemove, PATIENCE.plus(wait), FAILURES_IN_A_ROW));
    }

    /** Queries for instances page by page. */
    public InstanceQueries queries() {
        return queries;
    }

    @Override
    public List<String> listInstances() {
        return operations.run("listInstances", () -> ids(heads.all(onAll("listInstances"))));
    }

    @Override
    public List<String> listInstancesByStatus(String status) {
        Objects.requireNonNull(status, "status");
        return operations.run(
                "listInstancesByStatus",
                () -> ExecutionMetadata.STATUSES.contains(status)
                        ? ids(heads.withStatus(onAll("listInstancesByStatus"), status))
                        : List.of());
    }

    @Override
    public List<Long> listExecutions(String instance) {
        return operations.run("listExecutions", () -> {
            Call call = on("listExecutions", instance);
            Optional<InstanceDocument> head = heads.find(call, instance).map(stored -> stored.document());
            TreeSet<Long> ids = new TreeSet<>(executions.sizes(call, instance).keySet());
            head.ifPresent(document -> ids.add(document.currentExecutionId()));
            return List.copyOf(ids);
        });
    }

    @Override
    public List<HistoryEvent> readHistoryWithExecutionId(String instance, long executionId) {
        return operations.run("readHistoryWithExecutionId", () -> turns.reads().history(instance, executionId));
    }

    @Override
    public List<HistoryEvent> readHistory(String instance) {
        return operations.run("readHistory", () -> turns.reads().history(instance));
    }

    @Override
    public long latestExecutionId(String instance) {
        return operations.run(
                "latestExecutionId",
                () -> heads.require(on("latestExecutionId", instance), instance)
                        .document()
                        .currentExecutionId());
    }

    @Override
    public InstanceInfo getInstanceInfo(String instance) {
        return operations.run("getInstanceInfo", () -> {
            InstanceDocument head =
                    heads.require(on("getInstanceInfo", instance), instance).document();
            return new InstanceInfo(
                    head.instanceId(),
                    head.orchestrationName(),
                    head.orchestrationVersion(),
                    head.currentExecutionId(),
                    head.status(),
                    head.output(),
                    head.createdAt(),
                    head.updatedAt(),
                    head.parentInstanceId());
        });
    }

    @Override
    public ExecutionInfo getExecutionInfo(String instance, long executionId) {
        return operations.run("getExecutionInfo", () -> {
            Call call = on("getExecutionInfo", instance);
            return executions.info(call, heads.require(call, instance).document(), executionId);
        });
    }

    @Override
    public SystemMetrics getSystemMetrics() {
        return operations.run("getSystemMetrics", () -> counts.metrics(onAll("getSystemMetrics")));
    }

    @Override
    public QueueDepths getQueueDepths() {
        return operations.run("getQueueDepths", () -> counts.depths(onAll("getQueueDepths")));
    }

    @Override
    public List<MalformedQueueDocument> listMalformedQueueDocuments(int limit) {
        String operation = "listMalformedQueueDocuments";
        ProviderAdmin.super.listMalformedQueueDocuments(limit);
        return operations.run(operation, () -> malformed.list(onAll(operation), limit));
    }

    @Override
    public List<String> listChildren(String instance) {
        return operations.run(
                "listChildren", () -> ids(heads.childrenOf(on("listChildren", instance), List.of(instance))));
    }

    @Override
    public InstanceTree getInstanceTree(String instance) {
        return operations.run(
                "getInstanceTree",
                () -> new InstanceTree(instance, trees.of(on("getInstanceTree", instance), instance)));
    }

    @Override
    public Optional<String> getParentId(String instance) {
        return operations.run(
                "getParentId",
                () -> Optional.ofNullable(heads.require(on("getParentId", instance), instance)
                        .document()
                        .parentInstanceId()));
    }

    @Override
    public DeleteInstanceResult deleteInstance(String instance, boolean force) {
        return operations.run("deleteInstance", () -> {
            String operation = "deleteInstance";
            Call find = on(operation, instance);
            Stored<InstanceDocument> head =
                    force ? heads.requireByForce(find, instance) : heads.require(find, instance);
            @Nullable String parent = head.document().parentInstanceId();
            if (parent != null) {
                throw ProviderException.permanent(
                        operation,
                        "instance '" + instance + "' is a sub-orchestration of '" + parent
                                + "'; delete the root of its tree instead");
            }
            Call call = Call.onInstance(operation, instance, patienceToRemove);
            return removals.tree(call, trees.of(call, instance), force);
        });
    }

    @Override
    public DeleteInstanceResult deleteInstancesAtomic(List<String> instances, boolean force) {
        return operations.run("deleteInstancesAtomic", () -> {
            instances.forEach(instance -> DocumentIds.checkInstanceId("deleteInstancesAtomic", instance));
            return removals.all(Call.onContainer("deleteInstancesAtomic", patienceToRemove), instances, force);
        });
    }

    @Override
    public Optional<DeleteInstanceResult> deleteInstancesIf(
            List<String> instances, Predicate<InstanceSummary> condition) {
        String operation = "deleteInstancesIf";
        return operations.run(operation, () -> {
            instances.forEach(instance -> DocumentIds.checkInstanceId(operation, instance));
            return removals.allIf(
                    Call.onContainer(operation, patienceToRemove),
                    instances,
                    head -> condition.test(Summaries.of(head, false)));
        });
    }

    @Override
    public DeleteInstanceResult deleteInstanceBulk(InstanceFilter filter) {
        String operation = "deleteInstanceBulk";
        return operations.run(operation, () -> bulk.delete(operation, filter));
    }

    @Override
    public PruneResult pruneExecutions(String instance, PruneOptions options) {
        String operation = "pruneExecutions";
        DocumentIds.checkInstanceId(operation, instance);
        Call call = Call.onInstance(operation, instance, patienceToRemove);
        return operations.run(operation, () -> pruning.prune(call, instance, options));
    }

    @Override
    public PruneResult pruneExecutionsBulk(InstanceFilter filter, PruneOptions options) {
        String operation = "pruneExecutionsBulk";
        return operations.run(operation, () -> bulk.prune(operation, filter, options));
    }

    private static List<String> ids(List<InstanceDocument> heads) {
        return new ArrayList<>(heads.stream().map(InstanceDocument::instanceId).toList());
    }

    private static Call on(String operation, String instance) {
        DocumentIds.checkInstanceId(operation, instance);
        return Call.onInstance(operation, instance, PATIENCE);
    }

    private static Call onAll(String operation) {
        return Call.onContainer(operation, PATIENCE_WITH_ALL);
    }
}
