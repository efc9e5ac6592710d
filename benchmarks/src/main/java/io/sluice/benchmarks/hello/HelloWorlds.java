package io.sluice.benchmarks.hello;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A process that plays hello worlds: two dispatchers of each queue, which wait when there is nothing to do. */
final class HelloWorlds implements AutoCloseable {
    static final Duration ROUND_TRIP = Duration.ofMillis(5);

    private static final int DISPATCHERS = 2;
    private static final Duration LOCK = Duration.ofSeconds(30);
    private static final Duration WAIT = Duration.ofSeconds(5);
    private static final long PATIENCE_SECONDS = 60;

    private final CosmosEmulator emulator;
    private final CosmosProvider provider;
    private final BlockingQueue<String> ended = new ArrayBlockingQueue<>(1);
    private final ExecutorService dispatchers = Executors.newFixedThreadPool(2 * DISPATCHERS);
    private final int physicalPartitions;
    private volatile boolean closed;
    private int played;

    /** Of each orchestration; the time is the median's. */
    record Figures(double millis, double requests, double plans, double requestUnits) {}

    private HelloWorlds(CosmosEmulator emulator, CosmosProvider provider, int physicalPartitions) {
        this.emulator = emulator;
        this.provider = provider;
        this.physicalPartitions = physicalPartitions;
    }

    static HelloWorlds start(int physicalPartitions) {
        var emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(physicalPartitions));
        var config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "benchmarks", "hello");
        CosmosStore.provision(config);
        var worlds = new HelloWorlds(
                emulator, CosmosProvider.builder().config(config).build(), physicalPartitions);
        emulator.faults().delay(request -> true, 0, ROUND_TRIP);
        for (int i = 0; i < DISPATCHERS; i++) {
            worlds.dispatchers.execute(worlds::turns);
            worlds.dispatchers.execute(worlds::activities);
        }
        return worlds;
    }

    /** Plays so many, one after the other. */
    Figures run(int count) {
        emulator.requests().clear();
        var nanos = new ArrayList<Long>();
        for (int i = 0; i < count; i++) {
            nanos.add(play("hello-" + played++));
        }
        nanos.sort(null);
        var log = emulator.requests().all();
        long data = log.stream().filter(request -> request.operation().isData()).count();
        long fannedOut = log.stream()
                .filter(request -> request.operation() == RequestKind.QUERY && request.partitionKey() == null)
                .count();
        double requests = data - fannedOut + (double) fannedOut / physicalPartitions;
        long plans = log.stream()
                .filter(request -> request.operation() == RequestKind.QUERY_PLAN)
                .count();
        double units =
                log.stream().mapToDouble(request -> request.requestCharge()).sum();
        return new Figures(nanos.get(count / 2) / 1e6, requests / count, (double) plans / count, units / count);
    }

    private long play(String instance) {
        long began = System.nanoTime();
        provider.enqueueForOrchestrator(
                new WorkItem.StartOrchestration(instance, "Hello", "{}", "1.0.0", null, null, null, 1), null);
        try {
            if (!instance.equals(ended.poll(PATIENCE_SECONDS, TimeUnit.SECONDS))) {
                throw new IllegalStateException(instance + " did not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + instance, e);
        }
        return System.nanoTime() - began;
    }

    private void turns() {
        while (!closed) {
            provider.fetchOrchestrationItem(LOCK, WAIT, null).ifPresent(this::turn);
        }
    }

    private void turn(LockedTurn turn) {
        var instance = turn.item().instance();
        if (turn.item().history().isEmpty()) {
            provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                    .withHistory(List.of(
                            event(
                                    instance,
                                    1,
                                    new EventKind.OrchestrationStarted(
                                            "Hello", "1.0.0", "{}", null, null, null, null, null)),
                            event(instance, 2, new EventKind.ActivityScheduled("greet", "{}", null, null))))
                    .withWorkerItems(List.of(new WorkItem.ActivityExecute(instance, 1, 2, "greet", "{}", null, null)))
                    .withMetadata(ExecutionMetadata.NONE.withOrchestration("Hello", "1.0.0")));
        } else {
            provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                    .withHistory(List.of(
                            event(instance, 3, new EventKind.ExternalEvent("greeted", "{}")),
                            event(instance, 4, new EventKind.OrchestrationCompleted("hello"))))
                    .withMetadata(ExecutionMetadata.NONE.withStatus("Completed", "hello")));
            ended.add(instance);
        }
    }

    private void activities() {
        while (!closed) {
            provider.fetchWorkItem(LOCK, WAIT, null, TagFilter.defaultOnly()).ifPresent(this::activity);
        }
    }

    private void activity(LockedWorkItem locked) {
        var item = (WorkItem.ActivityExecute) locked.item();
        provider.ackWorkItem(
                locked.lockToken(),
                new WorkItem.ActivityCompleted(item.instance(), item.executionId(), item.id(), "hello"));
    }

    private static HistoryEvent event(String instance, long id, EventKind kind) {
        return HistoryEvent.of(id, instance, 1, System.currentTimeMillis(), "0.1.32", kind);
    }

    @Override
    public void close() {
        closed = true;
        emulator.faults().clear();
        dispatchers.shutdown();
        try {
            if (!dispatchers.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("dispatchers go on");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            provider.close();
            emulator.close();
        }
    }
}
