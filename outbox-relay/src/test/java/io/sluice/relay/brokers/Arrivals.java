package io.sluice.relay.brokers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * When a consumer of committed records sees each record of a topic. It gives a silent broker up after a second, so that
 * it hardly adds to what it measures. Reads on a thread of its own.
 */
final class Arrivals implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(50);
    private static final int GIVE_UP_MILLIS = 1_000;

    private final String topic;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<String, Long> seenNanos = new ConcurrentHashMap<>();
    private final AtomicInteger repeated = new AtomicInteger();
    private final Thread thread = new Thread(this::read, "arrivals");
    private volatile boolean ended;

    Arrivals(String bootstrapServers, String topic) {
        this.topic = topic;
        this.consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers,
                        "isolation.level",
                        "read_committed",
                        "auto.offset.reset",
                        "earliest",
                        "request.timeout.ms",
                        GIVE_UP_MILLIS,
                        "default.api.timeout.ms",
                        60 * GIVE_UP_MILLIS,
                        "fetch.max.wait.ms",
                        (int) POLL.toMillis(),
                        "metadata.max.age.ms",
                        GIVE_UP_MILLIS,
                        "reconnect.backoff.max.ms",
                        GIVE_UP_MILLIS),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    void start() {
        consumer.assign(consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList());
        thread.start();
    }

    private void read() {
        while (!ended) {
            consumer.poll(POLL).forEach(this::see);
        }
        consumer.close();
    }

    private void see(ConsumerRecord<byte[], byte[]> message) {
        var id = new String(message.headers().lastHeader("ce_id").value(), UTF_8);
        if (seenNanos.putIfAbsent(id, System.nanoTime()) != null) {
            repeated.incrementAndGet();
        }
    }

    /** By {@code ce_id}. */
    Map<String, Long> seenNanos() {
        return seenNanos;
    }

    /** How many records bear the id of another. */
    int repeated() {
        return repeated.get();
    }

    @Override
    public void close() {
        ended = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
