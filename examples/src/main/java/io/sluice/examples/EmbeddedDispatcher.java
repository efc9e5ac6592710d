package io.sluice.examples;

import io.sluice.examples.orders.Warehouse;
import io.sluice.examples.runtime.OrchestrationRuntime;
import io.sluice.examples.runtime.RuntimeConfig;
import io.sluice.examples.runtime.RuntimeCounters;
import io.sluice.provider.Provider;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;

/** An application's part: the provider embedded in a runtime that knows the order code. */
final class EmbeddedDispatcher implements AutoCloseable {
    private static final int DISPATCHERS = 4;
    private static final int WORKERS = 8;

    private final Warehouse warehouse = new Warehouse();
    private final CosmosProvider provider;
    private final OrchestrationRuntime runtime;

    EmbeddedDispatcher(CosmosStore store) {
        // Intents are left to the relay, so that the latency measured is the relay's own.
        provider =
                CosmosProvider.builder().store(store).immediateDelivery(false).build();
        runtime = new OrchestrationRuntime(
                provider, warehouse.registry(), RuntimeConfig.DEFAULT.withThreads(DISPATCHERS, WORKERS));
    }

    void start() {
        runtime.start();
    }

    Provider provider() {
        return provider;
    }

    Warehouse warehouse() {
        return warehouse;
    }

    RuntimeCounters counters() {
        return runtime.counters();
    }

    @Override
    public void close() {
        try (provider) {
            runtime.close();
        }
    }
}
