package io.sluice.benchmarks;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The events as any reader of committed records sees them, from the present end on. Not thread-safe. */
final class PublishedEvents implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private final KafkaConsumer<byte[], byte[]> consumer;

    PublishedEvents(String bootstrapServers, String topic) {
        this.consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        var partitions = consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        partitions.forEach(consumer::position);
    }

    /** Reads so many events and returns how many came per second after the first ones. */
    double perSecond(int events) {
        long startNanos = System.nanoTime();
        int first = 0;
        while (first == 0) {
            first = poll(startNanos);
        }
        long firstNanos = System.nanoTime();
        int seen = first;
        while (seen < events) {
            seen += poll(startNanos);
        }
        if (seen > events) {
            throw new IllegalStateException(seen + " events were published of " + events);
        }
        return (seen - first) * 1e9 / (System.nanoTime() - firstNanos);
    }

    private int poll(long startNanos) {
        if (System.nanoTime() - startNanos > TIMEOUT.toNanos()) {
            throw new IllegalStateException("the events were not published within " + TIMEOUT);
        }
        return consumer.poll(POLL).count();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
