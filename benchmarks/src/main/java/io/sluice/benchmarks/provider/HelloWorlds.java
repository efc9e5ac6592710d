package io.sluice.benchmarks.provider;

import io.sluice.benchmarks.store.EmulatedStore;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.cosmos.CosmosProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A process that plays hello worlds: two dispatchers of each queue, which wait when there is nothing to do. */
final class HelloWorlds implements AutoCloseable {
    static final Duration ROUND_TRIP = Duration.ofMillis(5);

    private static final int DISPATCHERS = 2;
    private static final long PATIENCE_SECONDS = 60;

    private final EmulatedStore emulated;
    private final CosmosProvider provider;
    private final Semaphore ended = new Semaphore(0);
    private final ExecutorService dispatchers = Executors.newCachedThreadPool();
    private volatile boolean closed;
    private int played;

    /** Of each orchestration; the time is the median's. */
    record Figures(double millis, double requests, double plans, double requestUnits) {}

    private HelloWorlds(EmulatedStore emulated, CosmosProvider provider) {
        this.emulated = emulated;
        this.provider = provider;
    }

    static HelloWorlds start(int physicalPartitions) {
        var emulated = EmulatedStore.start(physicalPartitions);
        var provider =
                CosmosProvider.builder().config(emulated.container("hello")).build();
        var worlds = new HelloWorlds(emulated, provider);
        emulated.emulator().faults().delay(request -> true, 0, ROUND_TRIP);
        for (var step : Work.HELLO_WORLDS.steps()) {
            for (int i = 0; i < DISPATCHERS; i++) {
                worlds.dispatchers.execute(() -> worlds.dispatch(step));
            }
        }
        return worlds;
    }

    private void dispatch(Work.Step step) {
        while (!closed) {
            if (step.take(provider)) {
                ended.release();
            }
        }
    }

    /** Plays so many, one after the other. */
    Figures run(int count) {
        emulated.forget();
        var nanos = new ArrayList<Long>();
        for (int i = 0; i < count; i++) {
            nanos.add(play("hello-" + played++));
        }
        nanos.sort(null);
        var cost = emulated.cost();
        long plans = emulated.asked().stream()
                .filter(request -> request.operation() == RequestKind.QUERY_PLAN)
                .count();
        return new Figures(
                nanos.get(count / 2) / 1e6,
                (double) cost.requests() / count,
                (double) plans / count,
                cost.requestUnits() / count);
    }

    private long play(String instance) {
        long began = System.nanoTime();
        Work.HELLO_WORLDS.seed(provider, instance);
        try {
            if (!ended.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(instance + " did not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + instance, e);
        }
        return System.nanoTime() - began;
    }

    @Override
    public void close() {
        closed = true;
        emulated.emulator().faults().clear();
        dispatchers.shutdown();
        try {
            if (!dispatchers.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("dispatchers go on");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            provider.close();
            emulated.close();
        }
    }
}
