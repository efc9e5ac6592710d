package com.example;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.List;

/** Embeds a provider: starts an orchestration, takes its first turn and completes it. */
public final class EmbedProvider {
    private static final String INSTANCE = "order-1";

    private EmbedProvider() {}

    public static void main(String[] arguments) {
        var config = CosmosStoreConfig.fromEnvironment(System.getenv());
        try (var provider = CosmosProvider.builder().config(config).build()) {
            provider.enqueueForOrchestrator(
                    new WorkItem.StartOrchestration(INSTANCE, "Order", "{}", null, null, null, null, 1), null);
            var turn = provider.fetchOrchestrationItem(Duration.ofSeconds(30), Duration.ofSeconds(30), null)
                    .orElseThrow();
            var item = turn.item();
            provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), item.executionId())
                    .withHistory(List.of(
                            event(item, 1, new EventKind.OrchestrationStarted(
                                    "Order", "1.0.0", "{}", null, null, null, null, null)),
                            event(item, 2, new EventKind.OrchestrationCompleted("done"))))
                    .withMetadata(ExecutionMetadata.NONE
                            .withOrchestration("Order", "1.0.0")
                            .withStatus("Completed", "done")));
            System.out.println("provider: a turn of " + item.instance() + " is stored");
        }
    }

    private static HistoryEvent event(OrchestrationItem item, long id, EventKind kind) {
        return HistoryEvent.of(id, item.instance(), item.executionId(), System.currentTimeMillis(), "1.0.0", kind);
    }
}
