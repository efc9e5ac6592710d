package io.sluice.examples;

import io.sluice.examples.ledger.PublishedEvent;
import io.sluice.provider.history.HistoryEvent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** Follows the history topic as a downstream system would, in a thread of its own, and hands every committed event on. */
final class LifecycleWatcher implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);

    private final KafkaConsumer<String, String> consumer;
    private final List<Consumer<HistoryEvent>> listeners;
    private final Thread thread;
    private volatile @Nullable RuntimeException failure;

    private LifecycleWatcher(KafkaConsumer<String, String> consumer, List<Consumer<HistoryEvent>> listeners) {
        this.consumer = consumer;
        this.listeners = List.copyOf(listeners);
        this.thread = new Thread(this::follow, "sluice-lifecycle-watcher");
        thread.setDaemon(true);
    }

    /** Follows from the beginning; the topic must exist. Listeners are called in that one thread. */
    static LifecycleWatcher start(String bootstrapServers, String topic, List<Consumer<HistoryEvent>> listeners) {
        KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_committed",
                        ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                        false),
                new StringDeserializer(),
                new StringDeserializer());
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        LifecycleWatcher watcher = new LifecycleWatcher(consumer, listeners);
        watcher.thread.start();
        return watcher;
    }

    /** Fails when following has failed. */
    void requireAlive() {
        RuntimeException current = failure;
        if (current != null) {
            throw new DemoException("the history topic can't be followed: " + current.getMessage(), current);
        }
    }

    @Override
    public void close() {
        consumer.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void follow() {
        try (consumer) {
            while (true) {
                consumer.poll(POLL).forEach(record -> {
                    HistoryEvent event = PublishedEvent.of(record).event();
                    listeners.forEach(listener -> listener.accept(event));
                });
            }
        } catch (WakeupException e) {
            // close() asked for the end.
        } catch (RuntimeException e) {
            failure = e;
        }
    }
}
