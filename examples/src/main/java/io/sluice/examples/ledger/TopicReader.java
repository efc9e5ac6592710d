package io.sluice.examples.ledger;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads a whole topic, from its beginning to the end it has at the call, as any {@code read_committed} consumer sees it. */
public final class TopicReader {
    private static final Duration POLL = Duration.ofMillis(200);

    private final String bootstrapServers;

    /** Prepares to read from this Kafka. */
    public TopicReader(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
    }

    /**
     * Every committed record, each partition in its order.
     *
     * @param timeout longest wait for the next records
     * @throws IllegalStateException when the end was not reached in that time
     */
    public <T> List<T> readAll(String topic, Duration timeout, Function<ConsumerRecord<String, String>, T> reading) {
        Map<String, Object> settings = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                false);
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            List<T> read = new ArrayList<>();
            long deadline = System.nanoTime() + timeout.toNanos();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                var records = consumer.poll(POLL);
                if (!records.isEmpty()) {
                    deadline = System.nanoTime() + timeout.toNanos();
                } else if (System.nanoTime() > deadline) {
                    throw new IllegalStateException(
                            "the end of " + topic + " was not reached in " + timeout + "; is a transaction left open?");
                }
                records.forEach(record -> read.add(reading.apply(record)));
            }
            return read;
        }
    }
}
