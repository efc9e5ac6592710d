package com.example;

import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.kafka.KafkaWorkFeed;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.Map;

/**
 * Embeds a provider whose work is announced by Kafka. No relay announces anything here, so the provider queries the
 * store instead.
 */
public final class EmbedFeed {
    private EmbedFeed() {}

    public static void main(String[] arguments) {
        var feed = KafkaWorkFeed.builder()
                .clientProperties(Map.of("bootstrap.servers", System.getenv("KAFKA_BOOTSTRAP_SERVERS")))
                .build();
        var config = CosmosStoreConfig.fromEnvironment(System.getenv());
        try (var provider =
                CosmosProvider.builder().config(config).workFeed(feed).build()) {
            provider.enqueueForOrchestrator(
                    new WorkItem.StartOrchestration("order-2", "Order", "{}", null, null, null, null, 1), null);
            var turn = provider.fetchOrchestrationItem(Duration.ofSeconds(30), Duration.ofSeconds(30), null)
                    .orElseThrow();
            provider.abandonOrchestrationItem(turn.lockToken(), null, false);
            System.out.println("feed: a turn of " + turn.item().instance() + " was fetched");
        }
    }
}
