package io.sluice.benchmarks;

import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;

/**
 * What the first fetch of a turn costs a process that has looked before and holds nothing of what is ready: instances
 * with a start of 10 KB each.
 */
final class FetchCost {
    private static final Duration LOCK = Duration.ofSeconds(30);
    private static final String TEN_KB = "i".repeat(10 * 1024);

    private FetchCost() {}

    static RequestCost measure(int physicalPartitions, int ready) {
        try (var store = EmulatedStore.start(physicalPartitions);
                var feeder = provider(store);
                var provider = provider(store)) {
            provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null);
            for (int i = 0; i < ready; i++) {
                feeder.enqueueForOrchestrator(
                        new WorkItem.StartOrchestration("order-" + i, "Order", TEN_KB, "1.0.0", null, null, null, 1),
                        null);
            }
            store.forget();
            provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null);
            return store.cost();
        }
    }

    private static CosmosProvider provider(EmulatedStore store) {
        return CosmosProvider.builder().reconciler(false).config(store.config()).build();
    }
}
