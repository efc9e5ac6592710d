package io.sluice.benchmarks.dispatch;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.provider.Provider;
import io.sluice.provider.TagFilter;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Dispatchers that run {@link Order orders}. It has a provider with a client of its own, and shares nothing with the
 * others, as if it were a process of its own.
 */
final class RuntimeProcess implements AutoCloseable {
    private static final Duration LOCK = Duration.ofSeconds(30);
    private static final Duration LONG_POLL = Duration.ofSeconds(30);
    private static final long PATIENCE_SECONDS = 60;

    private final CosmosProvider provider;
    private final Fetches fetches;
    private final MeterRegistry meters;
    private final List<Future<?>> dispatchers = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** What the dispatchers tell of. Called by their threads. */
    interface Fetches {
        /** A turn of this instance was fetched. */
        void turn(String instance);

        /** An activity of this instance was fetched. */
        void activity(String instance);

        /** This instance has ended. */
        void ended(String instance);
    }

    RuntimeProcess(CosmosProvider provider, Fetches fetches, MeterRegistry meters) {
        this.provider = provider;
        this.fetches = fetches;
        this.meters = meters;
    }

    /** Whether both queues are announced to it, and the announcements can be relied on. */
    boolean hearsAnnouncements() {
        return meters.find("sluice.work.feed.healthy").gauges().stream()
                        .filter(gauge -> gauge.value() == 1)
                        .count()
                == 2;
    }

    /** Its provider, for what the process itself starts. */
    Provider provider() {
        return provider;
    }

    /** Adds so many dispatchers of turns, and so many of activities. */
    RuntimeProcess dispatch(int turns, int activities) {
        for (int i = 0; i < turns; i++) {
            repeat(this::turn);
        }
        for (int i = 0; i < activities; i++) {
            repeat(this::activity);
        }
        return this;
    }

    private void repeat(Runnable step) {
        dispatchers.add(threads.submit(() -> {
            while (!closed.get()) {
                step.run();
            }
        }));
    }

    private void turn() {
        provider.fetchOrchestrationItem(LOCK, LONG_POLL, null).ifPresent(turn -> {
            fetches.turn(turn.item().instance());
            var ack = Order.decide(turn);
            provider.ackOrchestrationItem(ack);
            if (Order.isEnd(ack)) {
                fetches.ended(turn.item().instance());
            }
        });
    }

    private void activity() {
        provider.fetchWorkItem(LOCK, LONG_POLL, null, TagFilter.defaultOnly()).ifPresent(locked -> {
            var activity = (WorkItem.ActivityExecute) locked.item();
            fetches.activity(activity.instance());
            provider.ackWorkItem(locked.lockToken(), Order.result(activity));
        });
    }

    /**
     * Makes sure that what was counted is what all of them asked.
     *
     * @throws IllegalStateException when one has given up
     */
    void checkAllDispatch() {
        if (dispatchers.stream().anyMatch(Future::isDone)) {
            throw new IllegalStateException("a dispatcher has ended");
        }
    }

    @Override
    public void close() {
        closed.set(true);
        provider.close();
        threads.shutdownNow();
        try {
            if (!threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("dispatchers go on");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
