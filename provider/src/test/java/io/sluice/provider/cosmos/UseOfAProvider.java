package io.sluice.provider.cosmos;

import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.concurrent.Callable;

/** What a runtime does with a provider; loaded by a class loader of its own. */
public final class UseOfAProvider implements Callable<String> {
    private final CosmosStoreConfig config;

    public UseOfAProvider(String endpoint, String key, String database, String container) {
        config = new CosmosStoreConfig(endpoint, key, database, container);
    }

    @Override
    public String call() {
        CosmosStore.provision(config);
        try (CosmosProvider provider =
                CosmosProvider.builder().reconciler(false).config(config).build()) {
            provider.enqueueForOrchestrator(
                    new WorkItem.StartOrchestration("order-1", "Order", "{}", "1.0.0", null, null, null, 1), null);
            return provider.fetchOrchestrationItem(Duration.ofSeconds(5), Duration.ofSeconds(5), null)
                    .orElseThrow()
                    .item()
                    .instance();
        }
    }
}
