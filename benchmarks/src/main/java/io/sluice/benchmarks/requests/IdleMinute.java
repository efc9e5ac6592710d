package io.sluice.benchmarks.requests;

import io.sluice.benchmarks.store.EmulatedStore;
import io.sluice.benchmarks.store.Parallel;
import io.sluice.benchmarks.store.RequestCost;
import io.sluice.provider.TagFilter;
import io.sluice.provider.cosmos.CosmosProvider;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * What two orchestration and two activity dispatchers of one process ask of an empty store in a minute. Takes that
 * minute.
 */
final class IdleMinute {
    static final String OPERATION = "an idle minute";

    private static final Duration LOCK = Duration.ofSeconds(30);

    private IdleMinute() {}

    static RequestCost measure() {
        try (var emulated = EmulatedStore.start(1);
                var provider = CosmosProvider.builder()
                        .config(emulated.container("idle"))
                        .build()) {
            dispatch(provider, Duration.ZERO);
            emulated.forget();
            dispatch(provider, Duration.ofMinutes(1));
            return emulated.cost();
        }
    }

    private static void dispatch(CosmosProvider provider, Duration wait) {
        Callable<Optional<?>> turns = () -> provider.fetchOrchestrationItem(LOCK, wait, null);
        Callable<Optional<?>> activities = () -> provider.fetchWorkItem(LOCK, wait, null, TagFilter.defaultOnly());
        Parallel.run(List.of(turns, turns, activities, activities));
    }
}
