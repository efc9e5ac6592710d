package io.sluice.benchmarks.requests;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What two orchestration and two activity dispatchers of one process ask of an empty store in a minute. Takes that minute. */
final class IdleMinute {
    static final String OPERATION = "an idle minute";

    private static final Duration LOCK = Duration.ofSeconds(30);

    private IdleMinute() {}

    static Measured measure() {
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(1))) {
            var account = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "benchmarks", "idle");
            CosmosStore.provision(account);
            try (var provider = CosmosProvider.builder().config(account).build()) {
                provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null);
                provider.fetchWorkItem(LOCK, Duration.ZERO, null, TagFilter.defaultOnly());
                emulator.requests().clear();
                var minute = Duration.ofMinutes(1);
                together(List.of(
                        () -> provider.fetchOrchestrationItem(LOCK, minute, null),
                        () -> provider.fetchOrchestrationItem(LOCK, minute, null),
                        () -> provider.fetchWorkItem(LOCK, minute, null, TagFilter.defaultOnly()),
                        () -> provider.fetchWorkItem(LOCK, minute, null, TagFilter.defaultOnly())));
                return Measured.of(emulator.requests().all(), 1);
            }
        }
    }

    private static void together(List<Callable<?>> dispatchers) {
        ExecutorService threads = Executors.newFixedThreadPool(dispatchers.size());
        try {
            List<Future<?>> running = new ArrayList<>();
            dispatchers.forEach(dispatcher -> running.add(threads.submit(dispatcher)));
            for (Future<?> dispatcher : running) {
                dispatcher.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for idle dispatchers", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("an idle dispatcher failed", e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }
}
