package io.sluice.examples.servers;

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

/** Reads a whole topic as every {@code read_committed} consumer sees it. */
public final class TopicReader {
    private static final Duration POLL = Duration.ofMillis(200);

    private TopicReader() {}

    /**
     * A consumer of all partitions, placed at their beginning.
     *
     * @throws ExampleException when there is no such topic
     */
    public static KafkaConsumer<String, String> fromBeginning(String bootstrapServers, String topic) {
        Map<String, Object> settings = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                false);
        var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        if (partitions.isEmpty()) {
            consumer.close();
            throw new ExampleException("there is no topic " + topic);
        }
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        return consumer;
    }

    /**
     * Every committed record up to the end that the topic has at the call, each partition in its order.
     *
     * @param timeout longest wait for the next records
     * @throws IllegalStateException when the end was not reached in that time
     */
    public static <T> List<T> readAll(
            String bootstrapServers,
            String topic,
            Duration timeout,
            Function<ConsumerRecord<String, String>, T> reading) {
        try (var consumer = fromBeginning(bootstrapServers, topic)) {
            Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
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
