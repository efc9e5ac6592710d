package io.sluice.benchmarks;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.Provider;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Counts what each operation of the provider asks of the store, from the emulator's request log, and prints a Markdown table for one and for
 * four physical partitions. Counts, not times: the same on every machine.
 */
public final class RequestsPerOperation {
    private static final Duration LOCK = Duration.ofSeconds(30);
    private static final String VERSION = "0.1.32";

    private final CosmosEmulator emulator;
    private final Provider provider;
    private final Map<String, Measured> rows = new LinkedHashMap<>();
    private int instances;

    private RequestsPerOperation(CosmosEmulator emulator, Provider provider) {
        this.emulator = emulator;
        this.provider = provider;
    }

    /** Prints both tables. */
    public static void main(String[] arguments) {
        for (int partitions : List.of(1, 4)) {
            System.out.println(table(partitions, measure(partitions)));
        }
    }

    /** The cost of each operation with so many physical partitions, in the order of a life. */
    static Map<String, Measured> measure(int physicalPartitions) {
        var config = EmulatorConfig.inMemory().withPhysicalPartitions(physicalPartitions);
        try (var emulator = CosmosEmulator.start(config)) {
            var account = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "benchmarks", "requests");
            CosmosStore.provision(account);
            try (var store = CosmosStore.open(account);
                    var provider = CosmosProvider.builder().store(store).build()) {
                var run = new RequestsPerOperation(emulator, provider);
                run.turnOfANewInstance(); // first use reads ranges and plans
                run.rows.clear();
                run.turnOfANewInstance();
                run.activity();
                run.turnOfACachedInstance();
                run.turnThatStartsAChild();
                return run.rows;
            }
        }
    }

    private void turnOfANewInstance() {
        var instance = nextInstance();
        enqueueStart(instance);
        var turn = counted("fetch of a turn, new instance", this::fetchTurn);
        counted("renew the lock of a turn", () -> {
            provider.renewOrchestrationItemLock(turn.lockToken(), LOCK);
            return turn;
        });
        var ack = TurnAck.of(turn.lockToken(), 1)
                .withHistory(List.of(started(instance), scheduled(instance)))
                .withWorkerItems(List.of(new WorkItem.ActivityExecute(instance, 1, 2, "Charge", "{}", null, null)))
                .withMetadata(named());
        counted("ack of a turn, 2 events and 1 activity", () -> ack(ack));
    }

    private void activity() {
        drainWorkers();
        var instance = nextInstance();
        provider.enqueueForWorker(new WorkItem.ActivityExecute(instance, 1, 2, "Charge", "{}", null, null));
        var first = counted("fetch of an activity", this::fetchActivity);
        counted("renew the lock of an activity", () -> {
            provider.renewWorkItemLock(first.lockToken(), LOCK);
            return first;
        });
        counted("abandon an activity", () -> {
            provider.abandonWorkItem(first.lockToken(), null, true);
            return first;
        });
        var second = fetchActivity();
        var completion = new WorkItem.ActivityCompleted(instance, 1, 2, "{}");
        counted("ack of an activity with its completion", () -> {
            provider.ackWorkItem(second.lockToken(), completion);
            return second;
        });
        drainTurns();
    }

    private void turnOfACachedInstance() {
        var instance = nextInstance();
        enqueueStart(instance);
        ack(TurnAck.of(fetchTurn().lockToken(), 1)
                .withHistory(List.of(started(instance)))
                .withMetadata(named()));
        provider.enqueueForOrchestrator(new WorkItem.ExternalRaised(instance, "go", "{}"), null);
        var turn = counted("fetch of a turn, cached instance", this::fetchTurn);
        counted("abandon a turn", () -> {
            provider.abandonOrchestrationItem(turn.lockToken(), null, true);
            return turn;
        });
        drainTurns();
    }

    private void turnThatStartsAChild() {
        var instance = nextInstance();
        enqueueStart(instance);
        var child = instance + "::sub::2";
        var start = new WorkItem.StartOrchestration(child, "Ship", "{}", null, instance, 2L, 1L, 1);
        var ack = TurnAck.of(fetchTurn().lockToken(), 1)
                .withHistory(List.of(started(instance)))
                .withOrchestratorItems(List.of(start))
                .withMetadata(named());
        counted("ack of a turn with 1 intent, delivered at once", () -> ack(ack));
        drainTurns();
    }

    private <T> T counted(String operation, Supplier<T> call) {
        emulator.requests().clear();
        T result = call.get();
        rows.put(operation, Measured.of(emulator.requests().all()));
        return result;
    }

    private LockedTurn fetchTurn() {
        return provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null).orElseThrow();
    }

    private io.sluice.provider.LockedWorkItem fetchActivity() {
        return provider.fetchWorkItem(LOCK, Duration.ZERO, null, TagFilter.defaultOnly())
                .orElseThrow();
    }

    private TurnAck ack(TurnAck ack) {
        provider.ackOrchestrationItem(ack);
        return ack;
    }

    private void drainTurns() {
        provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null).ifPresent(turn -> {
            ack(TurnAck.of(turn.lockToken(), turn.item().executionId()));
            drainTurns();
        });
    }

    private void drainWorkers() {
        provider.fetchWorkItem(LOCK, Duration.ZERO, null, TagFilter.defaultOnly())
                .ifPresent(item -> {
                    provider.ackWorkItem(item.lockToken(), null);
                    drainWorkers();
                });
    }

    private String nextInstance() {
        instances++;
        return "order-" + instances;
    }

    private void enqueueStart(String instance) {
        provider.enqueueForOrchestrator(
                new WorkItem.StartOrchestration(instance, "Order", "{}", "1.0.0", null, null, null, 1), null);
    }

    private static HistoryEvent started(String instance) {
        var kind = new EventKind.OrchestrationStarted("Order", "1.0.0", "{}", null, null, null, null, null);
        return HistoryEvent.of(1, instance, 1, 1_740_000_000_000L, VERSION, kind);
    }

    private static HistoryEvent scheduled(String instance) {
        return HistoryEvent.of(
                2,
                instance,
                1,
                1_740_000_000_000L,
                VERSION,
                new EventKind.ActivityScheduled("Charge", "{}", null, null));
    }

    private static ExecutionMetadata named() {
        return ExecutionMetadata.NONE.withOrchestration("Order", "1.0.0");
    }

    /** The rows as a Markdown table. */
    static String table(int physicalPartitions, Map<String, Measured> rows) {
        var text = new StringBuilder();
        text.append("physical partitions: ").append(physicalPartitions).append("\n\n");
        text.append("| operation | requests | routing | documents | bytes | RU |\n|---|---:|---:|---:|---:|---:|\n");
        rows.forEach((operation, cost) -> text.append(String.format(
                Locale.ROOT,
                "| %s | %d | %d | %d | %d | %.1f |%n",
                operation,
                cost.requests(),
                cost.routing(),
                cost.documents(),
                cost.bytes(),
                cost.requestUnits())));
        return text.toString();
    }
}
