package io.sluice.relay.ledger.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * When a consumer of committed records sees each record of a topic. It gives a silent broker up after a second, so that
 * it hardly adds to what it measures. Reads on a thread of its own.
 */
public final class Arrivals implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(50);
    private static final int GIVE_UP_MILLIS = 1_000;

    private final String bootstrapServers;
    private final String topic;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<String, Long> seenNanos = new ConcurrentHashMap<>();
    private final Map<TopicPartition, Long> readUntil = new ConcurrentHashMap<>();
    private final AtomicInteger repeated = new AtomicInteger();
    private final Thread thread = new Thread(this::read, "arrivals");
    private List<TopicPartition> partitions = List.of();
    private volatile boolean ended;
    private volatile @Nullable RuntimeException failure;

    /** Reads nothing yet. */
    public Arrivals(String bootstrapServers, String topic) {
        this.bootstrapServers = bootstrapServers;
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

    /** Begins with the topic's first record. */
    public void start() {
        partitions = consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        consumer.assign(partitions);
        thread.start();
    }

    private void read() {
        try (consumer) {
            while (!ended) {
                var records = consumer.poll(POLL);
                records.forEach(this::see);
                records.nextOffsets().forEach((partition, next) -> readUntil.put(partition, next.offset()));
            }
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    private void see(ConsumerRecord<byte[], byte[]> message) {
        var id = new String(message.headers().lastHeader("ce_id").value(), UTF_8);
        if (seenNanos.putIfAbsent(id, System.nanoTime()) != null) {
            repeated.incrementAndGet();
        }
    }

    /**
     * By {@code ce_id}.
     *
     * @throws IllegalStateException when the reader has failed
     */
    public Map<String, Long> seenNanos() {
        if (failure != null) {
            throw new IllegalStateException("nobody reads " + topic + " any more", failure);
        }
        return seenNanos;
    }

    /**
     * Of each partition: which records Kafka has, where those that are committed end, and how far this reader is. Kafka
     * has deleted what is before the first; the ends differ while a transaction is open.
     */
    public String offsets() throws ExecutionException, InterruptedException {
        try (var admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            return "%s, whose records begin at %s and end at %s, committed ones at %s, and are read until %s"
                    .formatted(
                            topic,
                            offsets(admin, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED),
                            offsets(admin, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED),
                            offsets(admin, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED),
                            byPartition(readUntil));
        }
    }

    private Map<Integer, Long> offsets(Admin admin, OffsetSpec place, IsolationLevel isolation)
            throws ExecutionException, InterruptedException {
        var offsets = new HashMap<TopicPartition, Long>();
        admin.listOffsets(
                        partitions.stream().collect(Collectors.toMap(each -> each, each -> place)),
                        new ListOffsetsOptions(isolation))
                .all()
                .get()
                .forEach((partition, found) -> offsets.put(partition, found.offset()));
        return byPartition(offsets);
    }

    private static Map<Integer, Long> byPartition(Map<TopicPartition, Long> offsets) {
        var sorted = new TreeMap<Integer, Long>();
        offsets.forEach((partition, offset) -> sorted.put(partition.partition(), offset));
        return sorted;
    }

    /** The same of facts, by the event that they are made of: its id and the type of the fact are theirs. */
    public Map<String, Long> eventsSeenNanos() {
        var events = new HashMap<String, Long>();
        seenNanos().forEach((id, nanos) -> events.merge(id.substring(0, id.lastIndexOf(':')), nanos, Math::min));
        return events;
    }

    /** How many records bear the id of another. */
    public int repeated() {
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
