package io.sluice.relay.ledger.load;

import com.azure.cosmos.CosmosException;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.relay.TestDocuments;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Writes an event of one instance after another, at a pace, from a thread of its own; knows when each was written. */
public final class EventWriter implements AutoCloseable {
    private static final int INSTANCES = 48;
    private static final Duration PACE = Duration.ofMillis(50);

    private final Store store;
    private final Map<String, Long> writtenNanos = new ConcurrentHashMap<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "event-writer");

    /** Writes nothing yet. */
    public EventWriter(Store store) {
        this.store = store;
    }

    /** Begins. */
    public void start() {
        thread.start();
    }

    /** When the store had each event, by the id that it has in Kafka. */
    public Map<String, Long> writtenNanos() {
        return writtenNanos;
    }

    private void run() {
        try {
            for (int i = 0; !ended.await(PACE.toMillis(), TimeUnit.MILLISECONDS); i++) {
                write("order-" + i % INSTANCES, 1 + i / INSTANCES);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(String instance, int number) {
        EventKind kind = number == 1
                ? new EventKind.OrchestrationStarted("Order", "1.0.0", "{}", null, null, null, null, null)
                : new EventKind.CustomStatusUpdated("at " + number);
        // Facts bear the time of their event, and Kafka soon deletes facts that are older than the topic's retention.
        long now = System.currentTimeMillis();
        var event = HistoryEvent.of(number, instance, 1, now, "0.1.32", kind);
        int status;
        try {
            status = store.create(instance, List.of(TestDocuments.event(event)));
        } catch (CosmosException e) {
            throw new IllegalStateException("the store takes no events", e);
        }
        if (status >= 300) {
            throw new IllegalStateException("the store refuses an event: " + status);
        }
        writtenNanos.put(instance + ":1:" + number + ":" + now, System.nanoTime());
    }

    @Override
    public void close() {
        ended.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
