package io.sluice.relay.delivery;

import io.sluice.relay.loop.Threads;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.Executor;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The threads on which pairs are delivered: pairs with new intents before pairs of the backlog, each kind in the order
 * of arrival. Thread-safe.
 */
final class PairExecutor implements AutoCloseable {
    private static final Comparator<Runnable> ORDER = Comparator.comparing(Task.class::cast, Task.ORDER);

    private final ThreadPoolExecutor threads;
    private final Duration drainTimeout;
    private final AtomicLong count = new AtomicLong();

    private record Task(Runnable work, boolean ofBacklog, long number) implements Runnable {
        private static final Comparator<Task> ORDER =
                Comparator.comparing(Task::ofBacklog).thenComparingLong(Task::number);

        @Override
        public void run() {
            work.run();
        }
    }

    PairExecutor(int size, Duration drainTimeout) {
        this.drainTimeout = drainTimeout;
        this.threads = new ThreadPoolExecutor(
                size,
                size,
                0,
                TimeUnit.MILLISECONDS,
                new PriorityBlockingQueue<>(size, ORDER),
                Threads.named("sluice-pair"));
    }

    /** For the pairs of sources with new intents. */
    Executor forNew() {
        return work -> threads.execute(new Task(work, false, count.incrementAndGet()));
    }

    /** For the pairs of sources of the backlog. */
    Executor forBacklog() {
        return work -> threads.execute(new Task(work, true, count.incrementAndGet()));
    }

    /** Takes no new pairs, and waits for the pairs under way. */
    @Override
    public void close() {
        Threads.drain(threads, drainTimeout);
    }
}
