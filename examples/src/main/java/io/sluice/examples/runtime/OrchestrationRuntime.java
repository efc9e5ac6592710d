package io.sluice.examples.runtime;

import io.sluice.provider.Provider;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Dispatchers and workers over one provider. {@link #start} and {@link #close} may be called more than once; close
 * works before start, lets work in hand finish and returns when every thread has ended, or after ten seconds interrupts
 * what is left.
 */
public final class OrchestrationRuntime implements AutoCloseable {
    private static final long DRAIN_MILLIS = 10_000;

    private final Provider provider;
    private final Registry registry;
    private final RuntimeConfig config;
    private final InstantSource clock;
    private final RuntimeCounters counters = new RuntimeCounters();
    private final CountDownLatch stop = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();
    private final LockRenewer locks = new LockRenewer(2);

    /** Prepares a runtime; nothing runs before {@link #start}. The provider stays the caller's to close. */
    public OrchestrationRuntime(Provider provider, Registry registry, RuntimeConfig config, InstantSource clock) {
        this.provider = provider;
        this.registry = registry;
        this.config = config;
        this.clock = clock;
    }

    /** Starts fetching. */
    public synchronized void start() {
        if (!threads.isEmpty() || stop.getCount() == 0) {
            return;
        }
        TurnDispatcher dispatcher = new TurnDispatcher(
                provider, new TurnRunner(registry, config.maxAttempts(), clock), config, locks, counters);
        ActivityWorker worker = new ActivityWorker(provider, registry, config, locks, counters);
        launch("sluice-dispatcher", config.orchestrationDispatchers(), dispatcher::step);
        launch("sluice-worker", config.activityWorkers(), worker::step);
    }

    /** What it has done so far. */
    public RuntimeCounters counters() {
        return counters;
    }

    @Override
    public synchronized void close() {
        stop.countDown();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DRAIN_MILLIS);
        boolean interrupted = false;
        for (Thread thread : threads) {
            try {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            } catch (InterruptedException e) {
                interrupted = true;
            }
            if (thread.isAlive()) {
                thread.interrupt();
            }
        }
        locks.close();
        threads.clear();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void launch(String name, int count, Runnable step) {
        ThreadFactory factory = new NamedThreads(name);
        for (int i = 0; i < count; i++) {
            Thread thread = factory.newThread(new QueueLoop(name, step, stop));
            threads.add(thread);
            thread.start();
        }
    }
}
