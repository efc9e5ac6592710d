package io.sluice.relay.ledger.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** A topic as any reader of committed records sees it; keeps what it has read. Not thread-safe. */
public final class Topic implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);

    private final String name;
    private final KafkaConsumer<String, String> consumer;
    private final List<Message> messages = new ArrayList<>();

    /**
     * A record.
     *
     * @param millis when its producer made it
     */
    public record Message(int partition, String key, String eventId, String value, long millis) {
        /** Whether it says that its instance was deleted; else it is an event. */
        boolean isDeletion() {
            return eventId.contains(":deleted:");
        }
    }

    /** Reads it from its beginning on. */
    public Topic(String bootstrapServers, String name) {
        this.name = name;
        this.consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_committed",
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest"),
                new StringDeserializer(),
                new StringDeserializer());
    }

    /** Everything up to the present end, the records of each partition in their order. */
    public List<Message> read() {
        if (consumer.assignment().isEmpty()) {
            consumer.assign(consumer.partitionsFor(name).stream()
                    .map(info -> new TopicPartition(name, info.partition()))
                    .toList());
        }
        var ends = consumer.endOffsets(consumer.assignment());
        long patience = System.nanoTime() + Duration.ofSeconds(2).toNanos();
        while (System.nanoTime() - patience < 0
                && ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            consumer.poll(POLL)
                    .forEach(message -> messages.add(new Message(
                            message.partition(),
                            String.valueOf(message.key()),
                            header(message.headers().lastHeader("ce_id")),
                            String.valueOf(message.value()),
                            message.timestamp())));
        }
        return messages;
    }

    private static String header(@Nullable Header header) {
        return header == null ? "" : new String(header.value(), UTF_8);
    }

    @Override
    public void close() {
        consumer.close();
    }
}
