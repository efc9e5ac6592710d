package io.sluice.benchmarks;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.util.List;
import java.util.stream.IntStream;

/** The events, activities and metadata of the orchestrations that are counted. */
final class SampleOrders {
    static final String VERSION = "0.1.32";

    private SampleOrders() {}

    static HistoryEvent started(String instance) {
        var kind = new EventKind.OrchestrationStarted("Order", "1.0.0", "{}", null, null, null, null, null);
        return HistoryEvent.of(1, instance, 1, 1_740_000_000_000L, VERSION, kind);
    }

    static HistoryEvent scheduled(String instance) {
        return HistoryEvent.of(
                2,
                instance,
                1,
                1_740_000_000_000L,
                VERSION,
                new EventKind.ActivityScheduled("Charge", "{}", null, null));
    }

    static ExecutionMetadata named() {
        return ExecutionMetadata.NONE.withOrchestration("Order", "1.0.0");
    }

    static ExecutionMetadata completed() {
        return named().withStatus("Completed", "{}");
    }

    static List<WorkItem> activities(String instance, int count) {
        return IntStream.range(0, count)
                .<WorkItem>mapToObj(i -> new WorkItem.ActivityExecute(instance, 1, i + 2L, "Charge", "{}", null, null))
                .toList();
    }
}
