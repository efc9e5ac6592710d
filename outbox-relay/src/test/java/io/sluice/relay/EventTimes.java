package io.sluice.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.loop.Threads;
import io.sluice.relay.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;

/** How long events take from the store to who reads the history topic. Writes from one thread. */
final class EventTimes implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final TestStore store;
    private final KafkaAccess kafka;
    private final String topic;
    private final Map<String, Long> readNanos = new ConcurrentHashMap<>();
    private final StopSignal stop = new StopSignal();
    private final Thread thread = new Thread(this::read, "event-times");
    private int rounds;

    /**
     * The times of some events, in milliseconds.
     *
     * @param p50 half of them took no longer
     * @param p99 nearly all of them took no longer
     */
    record Quantiles(long p50, long p99) {
        private static Quantiles of(Collection<Long> millis) {
            var sorted = millis.stream().sorted().toList();
            return new Quantiles(sorted.get(sorted.size() / 2), sorted.get(sorted.size() * 99 / 100));
        }
    }

    /** Reads the history topic, which is there, from a thread of its own. */
    EventTimes(TestStore store, String bootstrapServers, String prefix) {
        this.store = store;
        this.kafka = new KafkaAccess(bootstrapServers, Map.of());
        this.topic = new Topics(prefix).history();
        thread.start();
    }

    private void read() {
        try (var consumer = kafka.reader()) {
            var partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (!stop.isGiven()) {
                for (var event : consumer.poll(POLL)) {
                    var id = new String(event.headers().lastHeader("ce_id").value(), UTF_8);
                    readNanos.putIfAbsent(id, System.nanoTime());
                }
            }
        }
    }

    /** Writes an event to each instance, one after the other, and waits until all are read. */
    Quantiles write(List<String> instances, Duration pause) throws InterruptedException {
        int round = ++rounds;
        Map<String, Long> writtenNanos = new ConcurrentHashMap<>();
        for (var instance : instances) {
            long beganNanos = System.nanoTime();
            store.writeHistory(instance, round, 1).forEach(id -> writtenNanos.put(id, beganNanos));
            stop.restFor(pause);
        }
        await().atMost(PATIENCE).until(() -> readNanos.keySet().containsAll(writtenNanos.keySet()));
        var millis = new ArrayList<Long>();
        writtenNanos.forEach((id, began) -> millis.add(
                Duration.ofNanos(readNanos.getOrDefault(id, began) - began).toMillis()));
        return Quantiles.of(millis);
    }

    @Override
    public void close() {
        stop.give();
        Threads.join(thread, PATIENCE);
    }
}
