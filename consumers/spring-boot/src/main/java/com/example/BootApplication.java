package com.example;

import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.kafka.KafkaWorkFeed;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** An application of Spring Boot whose provider is told by Kafka where work is. */
@SpringBootApplication
public class BootApplication {
    @Bean
    CosmosProvider provider() {
        var feed = KafkaWorkFeed.builder()
                .clientProperties(Map.of("bootstrap.servers", System.getenv("KAFKA_BOOTSTRAP_SERVERS")))
                .build();
        return CosmosProvider.builder()
                .config(CosmosStoreConfig.fromEnvironment(System.getenv()))
                .workFeed(feed)
                .build();
    }

    public static void main(String[] arguments) {
        try (var context = SpringApplication.run(BootApplication.class, arguments)) {
            var provider = context.getBean(CosmosProvider.class);
            provider.enqueueForOrchestrator(
                    new WorkItem.StartOrchestration("order-3", "Order", "{}", null, null, null, null, 1), null);
            var turn = provider.fetchOrchestrationItem(Duration.ofSeconds(30), Duration.ofSeconds(30), null)
                    .orElseThrow();
            provider.abandonOrchestrationItem(turn.lockToken(), null, false);
            System.out.println("boot: a turn of " + turn.item().instance() + " was fetched");
        }
    }
}
