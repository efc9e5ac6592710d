package io.sluice.examples.runtime;

import io.sluice.provider.Provider;
import io.sluice.provider.SessionFetchConfig;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Dispatchers and workers over one provider. {@link #start} and {@link #close} may be called more than once; close
 * works before start, lets work in progress finish and returns when every thread has ended, or after ten seconds
 * interrupts what is left.
 */
public final class OrchestrationRuntime implements AutoCloseable {
    private static final long DRAIN_MILLIS = 10_000;

    private final Provider provider;
    private final Registry registry;
    private final RuntimeConfig config;
    private final RuntimeCounters counters = new RuntimeCounters();
    private final CountDownLatch stop = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();
    private final LockRenewer locks = new LockRenewer(2);

    /** Prepares a runtime; nothing runs before {@link #start}. The provider stays the caller's to close. */
    public OrchestrationRuntime(Provider provider, Registry registry, RuntimeConfig config) {
        this.provider = provider;
        this.registry = registry;
        this.config = config;
    }

    /** Starts fetching. */
    public synchronized void start() {
        if (!threads.isEmpty() || stop.getCount() == 0) {
            return;
        }
        TurnRunner turns = new TurnRunner(registry, config, InstantSource.system());
        TurnDispatcher dispatcher = new TurnDispatcher(provider, turns, config, locks, counters);
        launch("sluice-dispatcher", Collections.nCopies(config.dispatchers(), dispatcher::step));
        launch("sluice-worker", workers().map(worker -> (Runnable) worker::step).toList());
    }

    private Stream<ActivityWorker> workers() {
        ActivityRunner runner = new ActivityRunner(provider, registry, config, locks, counters);
        RuntimeConfig.Sessions sessions = config.sessions();
        if (sessions == null) {
            return Collections.nCopies(
                    config.workers(), new ActivityWorker(provider, config, runner, null, new SessionSlots(0)))
                    .stream();
        }
        SessionSlots slots = new SessionSlots(sessions.max());
        List<String> owners = Stream.generate(
                        () -> sessions.node() == null ? UUID.randomUUID().toString() : sessions.node())
                .limit(config.workers())
                .toList();
        Future<?> unused = locks.renew(
                sessions.lock().dividedBy(2),
                () -> provider.renewSessionLock(owners, sessions.lock(), sessions.idle()),
                () -> {});
        return owners.stream()
                .map(owner -> new SessionFetchConfig(owner, sessions.lock()))
                .map(owner -> new ActivityWorker(provider, config, runner, owner, slots));
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

    private void launch(String name, List<Runnable> steps) {
        ThreadFactory factory = new NamedThreads(name);
        for (Runnable step : steps) {
            Thread thread = factory.newThread(new QueueLoop(name, step, counters, stop));
            threads.add(thread);
            thread.start();
        }
    }
}
