package io.sluice.benchmarks.requests;

import io.sluice.benchmarks.store.EmulatedStore;
import io.sluice.benchmarks.store.Measured;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.Provider;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Counts what each operation of the provider asks of the store, from the emulator's request log. Counts, not times: the same on every machine. */
final class RequestsPerOperation {
    /** A fetch that looks for one of many. */
    static final String AMONG_OTHERS = "fetch of a turn, 500 others waiting";

    private static final int OTHERS = 500;
    private static final Duration LOCK = Duration.ofSeconds(30);
    private static final String VERSION = "0.1.32";

    private final EmulatedStore emulated;
    private final CosmosStoreConfig account;
    private final Provider provider;
    private final Map<String, Measured> rows = new LinkedHashMap<>();
    private int instances;

    private RequestsPerOperation(EmulatedStore emulated, CosmosStoreConfig account, Provider provider) {
        this.emulated = emulated;
        this.account = account;
        this.provider = provider;
    }

    /** The cost of each operation with so many physical partitions, in the order of a life. */
    static Map<String, Measured> measure(int physicalPartitions) {
        try (var emulated = EmulatedStore.start(physicalPartitions)) {
            var account = emulated.container("requests");
            try (var provider =
                    CosmosProvider.builder().reconciler(false).config(account).build()) {
                var run = new RequestsPerOperation(emulated, account, provider);
                run.turnOfANewInstance(); // first use reads ranges, and plans which the SDK keeps
                run.turnThatCancels();
                run.turnOfAThousandOperations();
                run.drainTurns();
                run.drainWorkers();
                run.rows.clear();
                run.turnOfANewInstance();
                run.activity();
                run.activityOfASession();
                run.turnOfACachedInstance();
                run.turnOfAColdInstance();
                run.turnThatCancels();
                run.turnThatStartsAChild();
                run.turnOfAThousandOperations();
                run.helloWorld();
                run.fanOut();
                run.parentAndChild();
                run.turnAmongOthers();
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
        enqueueStart(instance);
        ack(TurnAck.of(fetchTurn().lockToken(), 1)
                .withHistory(List.of(started(instance)))
                .withMetadata(named()));
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

    private void activityOfASession() {
        var instance = nextInstance();
        provider.enqueueForWorker(new WorkItem.ActivityExecute(instance, 1, 2, "Charge", "{}", "cart", null));
        var session = new SessionFetchConfig("worker-1", LOCK);
        var item = counted(
                "fetch of an activity with a session",
                () -> provider.fetchWorkItem(LOCK, Duration.ZERO, session, TagFilter.defaultOnly())
                        .orElseThrow());
        counted("renew the lock of an activity with a session", () -> {
            provider.renewWorkItemLock(item.lockToken(), LOCK);
            return item;
        });
        counted("ack of an activity with a session", () -> {
            provider.ackWorkItem(item.lockToken(), null);
            return item;
        });
    }

    private void turnOfAColdInstance() {
        var instance = knownInstance();
        try (var other =
                CosmosProvider.builder().reconciler(false).config(account).build()) {
            other.fetchWorkItem(LOCK, Duration.ZERO, null, TagFilter.defaultOnly());
            provider.enqueueForOrchestrator(new WorkItem.ExternalRaised(knownInstance(), "go", "{}"), null);
            other.fetchOrchestrationItem(LOCK, Duration.ZERO, null)
                    .ifPresent(turn -> other.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)));
            provider.enqueueForOrchestrator(new WorkItem.ExternalRaised(instance, "go", "{}"), null);
            var turn = counted(
                    "fetch of a turn, cold instance",
                    () -> other.fetchOrchestrationItem(LOCK, Duration.ZERO, null)
                            .orElseThrow());
            other.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
        }
    }

    private String knownInstance() {
        var instance = nextInstance();
        enqueueStart(instance);
        ack(TurnAck.of(fetchTurn().lockToken(), 1)
                .withHistory(List.of(started(instance)))
                .withMetadata(named()));
        return instance;
    }

    private void turnThatCancels() {
        var instance = nextInstance();
        enqueueStart(instance);
        var cancelled = List.of(new ScheduledActivityIdentifier(instance, 1, 2));
        var ack = TurnAck.of(fetchTurn().lockToken(), 1)
                .withHistory(List.of(started(instance)))
                .withCancelledActivities(cancelled)
                .withMetadata(named());
        counted("ack of a turn that cancels an activity", () -> ack(ack));
    }

    private void turnOfAThousandOperations() {
        var instance = nextInstance();
        enqueueStart(instance);
        var events = new ArrayList<HistoryEvent>();
        for (int id = 1; id <= 998; id++) {
            events.add(HistoryEvent.of(
                    id,
                    instance,
                    1,
                    1_740_000_000_000L,
                    VERSION,
                    new EventKind.ActivityScheduled("Charge", "{}", null, null)));
        }
        var ack = TurnAck.of(fetchTurn().lockToken(), 1).withHistory(events).withMetadata(named());
        counted("ack of a turn of 1 000 operations", () -> ack(ack));
    }

    private void helloWorld() {
        counted("hello world (1 activity)", () -> {
            var instance = nextInstance();
            return play(instance, 1, List.of(started(instance), scheduled(instance)));
        });
    }

    private void fanOut() {
        counted("fan-out of 20", () -> {
            var instance = nextInstance();
            return play(instance, 20, List.of(started(instance)));
        });
    }

    private TurnAck play(String instance, int activities, List<HistoryEvent> firstEvents) {
        enqueueStart(instance);
        ack(TurnAck.of(fetchTurn().lockToken(), 1)
                .withHistory(firstEvents)
                .withWorkerItems(activities(instance, activities))
                .withMetadata(named()));
        runActivities(instance, activities);
        return ack(TurnAck.of(fetchTurn().lockToken(), 1).withMetadata(completed()));
    }

    private void parentAndChild() {
        counted("parent → child → parent", () -> {
            var parent = nextInstance();
            var child = parent + "::sub::2";
            enqueueStart(parent);
            ack(TurnAck.of(fetchTurn().lockToken(), 1)
                    .withHistory(List.of(started(parent)))
                    .withOrchestratorItems(
                            List.of(new WorkItem.StartOrchestration(child, "Ship", "{}", null, parent, 2L, 1L, 1)))
                    .withMetadata(named()));
            ack(TurnAck.of(fetchTurn().lockToken(), 1)
                    .withHistory(List.of(started(child)))
                    .withOrchestratorItems(List.of(new WorkItem.SubOrchCompleted(parent, 1, 2, "done")))
                    .withMetadata(completed()));
            return ack(TurnAck.of(fetchTurn().lockToken(), 1).withMetadata(completed()));
        });
    }

    private void turnAmongOthers() {
        for (int i = 0; i <= OTHERS; i++) {
            enqueueStart(nextInstance());
        }
        counted(AMONG_OTHERS, this::fetchTurn);
    }

    private void runActivities(String instance, int count) {
        for (int i = 0; i < count; i++) {
            provider.ackWorkItem(
                    fetchActivity().lockToken(), new WorkItem.ActivityCompleted(instance, 1, i + 2L, "{}"));
        }
    }

    private static List<WorkItem> activities(String instance, int count) {
        return IntStream.range(0, count)
                .<WorkItem>mapToObj(i -> new WorkItem.ActivityExecute(instance, 1, i + 2L, "Charge", "{}", null, null))
                .toList();
    }

    private static ExecutionMetadata completed() {
        return named().withStatus("Completed", "{}");
    }

    private <T> T counted(String operation, Supplier<T> call) {
        emulated.forget();
        T result = call.get();
        rows.put(operation, emulated.cost());
        return result;
    }

    private LockedTurn fetchTurn() {
        return provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null).orElseThrow();
    }

    private LockedWorkItem fetchActivity() {
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
}
