package com.example;

import io.sluice.relay.OutboxRelay;
import io.sluice.relay.config.RelayConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Embeds a relay, and waits until the topic has both events of the turn that was stored before. */
public final class EmbedRelay {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int EVENTS = 2;

    private EmbedRelay() {}

    public static void main(String[] arguments) {
        try (var relay = OutboxRelay.builder()
                        .config(RelayConfig.load(System.getenv(), null))
                        .build();
                var consumer = new KafkaConsumer<>(settings(), new StringDeserializer(), new StringDeserializer())) {
            relay.start();
            consumer.subscribe(List.of(System.getenv("SLUICE_PREFIX") + ".history"));
            int events = 0;
            long start = System.nanoTime();
            while (events < EVENTS) {
                if (System.nanoTime() - start > LIMIT.toNanos()) {
                    throw new IllegalStateException("of " + EVENTS + " events the topic has " + events);
                }
                events += consumer.poll(Duration.ofSeconds(1)).count();
            }
            System.out.println("relay: the topic has " + events + " events");
        }
    }

    private static Map<String, Object> settings() {
        return Map.of(
                "bootstrap.servers", System.getenv("KAFKA_BOOTSTRAP_SERVERS"),
                "group.id", "consumer",
                "auto.offset.reset", "earliest",
                "isolation.level", "read_committed");
    }
}
