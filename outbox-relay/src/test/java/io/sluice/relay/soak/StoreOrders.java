package io.sluice.relay.soak;

import io.sluice.provider.Provider;
import io.sluice.provider.work.WorkItem;
import io.sluice.relay.StopSignal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Gives orders by the store at a steady rate, so that they come whatever becomes of relays and Kafka. Thread-safe. */
final class StoreOrders implements AutoCloseable {
    private final Provider provider;
    private final Duration gap;
    private final List<Long> givenMillis = new CopyOnWriteArrayList<>();
    private final StopSignal stopped = new StopSignal();
    private final Thread thread = new Thread(this::repeat, "orders");
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

    /** @param gap between two orders */
    StoreOrders(Provider provider, Duration gap) {
        this.provider = provider;
        this.gap = gap;
    }

    void start() {
        for (int i = 0; i < Story.HUBS; i++) {
            begin(Story.hub(i));
        }
        thread.setDaemon(true);
        thread.start();
    }

    private void repeat() {
        try {
            while (!stopped.restFor(gap)) {
                give(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failure.set(e);
        }
    }

    /** Gives this many at once. */
    synchronized void give(int count) {
        for (int i = 0; i < count; i++) {
            int number = givenMillis.size();
            var order = Story.order(number);
            givenMillis.add(System.currentTimeMillis());
            begin(order);
            provider.enqueueForOrchestrator(new WorkItem.ExternalRaised(order, Story.GO, "at once"), null);
            if (Story.isCancelled(number)) {
                provider.enqueueForOrchestrator(new WorkItem.CancelInstance(order, "so it was ordered"), null);
            }
        }
    }

    private void begin(String instance) {
        provider.enqueueForOrchestrator(
                new WorkItem.StartOrchestration(
                        instance, Story.NAME, "{}", Story.ORCHESTRATION_VERSION, null, null, null, 1),
                null);
    }

    /** When each order was given, by its number. */
    List<Long> givenMillis() {
        return List.copyOf(givenMillis);
    }

    /** Ends the load; fails when an order could not be given. */
    void stop() throws InterruptedException {
        stopped.give();
        thread.join();
        var failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("an order could not be given", failed);
        }
    }

    @Override
    public void close() {
        stopped.give();
    }
}
