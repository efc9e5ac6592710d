package io.sluice.examples;

import io.sluice.examples.ledger.PublishedEvent;
import io.sluice.examples.servers.ExampleException;
import io.sluice.examples.servers.TopicReader;
import io.sluice.provider.history.HistoryEvent;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/** Follows the history topic in a thread of its own and passes every committed event to its listeners. */
final class HistoryFollower implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);

    private final KafkaConsumer<String, String> consumer;
    private final List<Consumer<HistoryEvent>> listeners;
    private final Thread thread;
    private volatile @Nullable RuntimeException failure;

    private HistoryFollower(KafkaConsumer<String, String> consumer, List<Consumer<HistoryEvent>> listeners) {
        this.consumer = consumer;
        this.listeners = List.copyOf(listeners);
        this.thread = new Thread(this::follow, "sluice-history-follower");
        thread.setDaemon(true);
    }

    /** Follows from the beginning; the topic must exist. Listeners are called in that one thread. */
    static HistoryFollower start(String bootstrapServers, String topic, List<Consumer<HistoryEvent>> listeners) {
        HistoryFollower follower = new HistoryFollower(TopicReader.fromBeginning(bootstrapServers, topic), listeners);
        follower.thread.start();
        return follower;
    }

    /** Fails when following has failed. */
    void requireAlive() {
        RuntimeException current = failure;
        if (current != null) {
            throw new ExampleException("the history topic can't be followed: " + current.getMessage(), current);
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
