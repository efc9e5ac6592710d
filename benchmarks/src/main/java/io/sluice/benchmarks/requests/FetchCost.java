package io.sluice.benchmarks.requests;

import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.store.EmulatedStore;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a fetch of a turn costs by the number of physical partitions and of instances that are ready, each with a start
 * of 10 KB.
 */
final class FetchCost {
    static final List<Integer> PHYSICAL_PARTITIONS = List.of(1, 4, 16, 64);
    static final List<Integer> READY_INSTANCES = List.of(0, 20, 1_000);
    static final String READY = "ready instances";
    static final String REQUESTS = "requests of a fetch";
    static final String PLANS = "of them plans";
    static final String DOCUMENTS = "rows and documents";
    static final String BYTES = "bytes of a fetch";
    static final String UNITS = "RU of a fetch";

    private static final Duration LOCK = Duration.ofSeconds(30);
    private static final String TEN_KB = "i".repeat(10 * 1024);

    private FetchCost() {}

    static List<Figure> measure(int physicalPartitions, int ready) {
        try (var emulated = EmulatedStore.start(physicalPartitions)) {
            var account = emulated.container("fetch");
            try (var feeder = CosmosProvider.builder()
                            .reconciler(false)
                            .config(account)
                            .build();
                    var provider = CosmosProvider.builder()
                            .reconciler(false)
                            .config(account)
                            .build()) {
                provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null);
                for (int i = 0; i < ready; i++) {
                    feeder.enqueueForOrchestrator(start("order-" + i), null);
                }
                emulated.forget();
                provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null);
                var cost = emulated.cost();
                return Stream.of(
                                Figure.exactly(REQUESTS, "", cost.wireRequests()),
                                Figure.exactly(PLANS, "", cost.plans()),
                                Figure.exactly(DOCUMENTS, "", cost.documents()),
                                Figure.exactly(BYTES, "", (double) cost.bytes()),
                                Figure.exactly(UNITS, "", Math.round(cost.requestUnits() * 10) / 10.0))
                        .map(figure -> figure.at(READY, ready))
                        .toList();
            }
        }
    }

    private static WorkItem start(String instance) {
        return new WorkItem.StartOrchestration(instance, "Order", TEN_KB, "1.0.0", null, null, null, 1);
    }
}
