package io.sluice.benchmarks.idle;

import io.sluice.provider.TagFilter;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runtimes that wait for work which does not come. Each has a provider with a client of its own, and shares nothing
 * with the others, as if it were a process of its own.
 */
final class IdleFleet implements AutoCloseable {
    private static final Duration LOCK = Duration.ofSeconds(30);
    private static final Duration LONG_POLL = Duration.ofSeconds(30);

    private final List<CosmosProvider> providers = new ArrayList<>();
    private final List<Future<?>> dispatchers = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /**
     * Starts them.
     *
     * @param dispatchers of turns in each, and as many of activities
     */
    IdleFleet(CosmosStoreConfig store, int processes, int dispatchers) {
        for (int process = 0; process < processes; process++) {
            var provider = CosmosProvider.builder().config(store).build();
            providers.add(provider);
            for (int dispatcher = 0; dispatcher < dispatchers; dispatcher++) {
                dispatch(() -> provider.fetchOrchestrationItem(LOCK, LONG_POLL, null));
                dispatch(() -> provider.fetchWorkItem(LOCK, LONG_POLL, null, TagFilter.defaultOnly()));
            }
        }
    }

    private void dispatch(Runnable fetch) {
        dispatchers.add(threads.submit(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                fetch.run();
            }
        }));
    }

    /**
     * Makes sure that what was counted is what all of them asked.
     *
     * @throws IllegalStateException when one has given up
     */
    void checkAllWait() {
        if (dispatchers.stream().anyMatch(Future::isDone)) {
            throw new IllegalStateException("a dispatcher that should wait has ended");
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        providers.forEach(CosmosProvider::close);
    }
}
