package io.sluice.benchmarks.size;

import io.sluice.benchmarks.store.EmulatedStore;
import io.sluice.benchmarks.store.RequestCost;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.StoreSweep;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The operations of a runtime, a relay and an operator, one by one on a store that is otherwise left alone. Used by one
 * thread.
 */
final class Operations {
    /** Operations of a runtime and a relay, whose cost must not depend on how many instances wait. */
    static final List<String> OF_A_RUNTIME = List.of(
            "fetch of a turn, nothing there",
            "fetch of an activity, nothing there",
            "fetch of a turn of a waiting instance",
            "ack of that turn, 1 event and 1 activity",
            "fetch of an activity",
            "ack of an activity with its completion",
            "ack of a turn that starts another, delivered at once",
            "fetch of a turn of a new instance",
            "sweep, nothing left behind");

    /** Operations of an operator: on one instance, on few, and on all. */
    static final List<String> OF_AN_OPERATOR = List.of(
            "information on an instance",
            "children of an instance",
            "instances that failed, none did",
            "depths of the queues",
            "system metrics",
            "list of all instances");

    private static final Duration LOCK = Duration.ofSeconds(30);
    private static final String VERSION = "0.1.32";
    private static final int EVENTS_SEEDED = 8;

    private final EmulatedStore emulated;
    private final CosmosProvider provider;
    private final ProviderAdmin admin;
    private final StoreSweep sweep;
    private final Map<String, RequestCost> costs = new LinkedHashMap<>();
    private int started;

    Operations(EmulatedStore emulated, CosmosStore store) {
        this.emulated = emulated;
        this.provider = CosmosProvider.builder().store(store).build();
        this.admin = provider.asManagementCapability().orElseThrow();
        this.sweep = new StoreSweep(store);
    }

    /** What each cost, on an instance that waits. It leaves no work behind, and one more instance. */
    Map<String, RequestCost> costs(String waiting) {
        costs.clear();
        counted("fetch of a turn, nothing there", () -> provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null));
        counted("fetch of an activity, nothing there", this::activity);
        turnOf(waiting);
        activityOf(waiting);
        startFrom(waiting);
        counted("sweep, nothing left behind", () -> sweep.finishTurns() + sweep.finishDeletions());
        counted("information on an instance", () -> admin.getInstanceInfo(waiting));
        counted("children of an instance", () -> admin.listChildren(waiting));
        counted("instances that failed, none did", () -> admin.listInstancesByStatus("Failed"));
        counted("depths of the queues", admin::getQueueDepths);
        counted("system metrics", admin::getSystemMetrics);
        counted("list of all instances", admin::listInstances);
        return Map.copyOf(costs);
    }

    private void turnOf(String waiting) {
        raise(waiting);
        var turn = counted("fetch of a turn of a waiting instance", this::turn);
        var event = HistoryEvent.of(
                EVENTS_SEEDED + 1,
                waiting,
                1,
                System.currentTimeMillis(),
                VERSION,
                new EventKind.ActivityScheduled("Charge", "{}", null, null));
        var execute = new WorkItem.ActivityExecute(waiting, 1, EVENTS_SEEDED + 1, "Charge", "{}", null, null);
        counted(
                "ack of that turn, 1 event and 1 activity",
                () -> ack(TurnAck.of(turn.lockToken(), 1)
                        .withHistory(List.of(event))
                        .withWorkerItems(List.of(execute))));
    }

    private void activityOf(String waiting) {
        var item = counted("fetch of an activity", () -> activity().orElseThrow());
        var completion = new WorkItem.ActivityCompleted(waiting, 1, EVENTS_SEEDED + 1, "{}");
        counted("ack of an activity with its completion", () -> {
            provider.ackWorkItem(item.lockToken(), completion);
            return item;
        });
    }

    private void startFrom(String waiting) {
        started++;
        var child = "started-" + waiting + "-" + started;
        var start = new WorkItem.StartOrchestration(child, "Ship", "{}", null, null, null, null, 1);
        var turn = turn();
        counted(
                "ack of a turn that starts another, delivered at once",
                () -> ack(TurnAck.of(turn.lockToken(), 1).withOrchestratorItems(List.of(start))));
        var first = counted("fetch of a turn of a new instance", this::turn);
        var begun = new EventKind.OrchestrationStarted("Ship", "1.0.0", "{}", null, null, null, null, null);
        ack(TurnAck.of(first.lockToken(), 1)
                .withHistory(List.of(HistoryEvent.of(1, child, 1, System.currentTimeMillis(), VERSION, begun)))
                .withMetadata(ExecutionMetadata.NONE.withOrchestration("Ship", "1.0.0")));
    }

    private <T> T counted(String operation, Supplier<T> call) {
        emulated.forget();
        T result = call.get();
        costs.put(operation, emulated.cost());
        return result;
    }

    private void raise(String instance) {
        provider.enqueueForOrchestrator(new WorkItem.ExternalRaised(instance, "go", "{}"), null);
    }

    private LockedTurn turn() {
        return provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null).orElseThrow();
    }

    private Optional<LockedWorkItem> activity() {
        return provider.fetchWorkItem(LOCK, Duration.ZERO, null, TagFilter.defaultOnly());
    }

    private TurnAck ack(TurnAck ack) {
        provider.ackOrchestrationItem(ack);
        return ack;
    }
}
