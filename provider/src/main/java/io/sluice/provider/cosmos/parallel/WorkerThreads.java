package io.sluice.provider.cosmos.parallel;

import io.sluice.provider.request.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads on which one operation does several things at one time: the caller's own, and of this pool as many as are
 * free. So no operation waits for a thread, whatever threads the callers are on and however many of them there are.
 * Idle threads of the pool end. Thread-safe.
 */
public final class WorkerThreads {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerThreads.class);
    private static final int IDLE_SECONDS = 10;

    private final String name;
    private final Executor pool;

    /**
     * A pool without threads as yet.
     *
     * @param name of each of its threads
     * @param most threads at one time, for all callers together
     */
    public WorkerThreads(String name, int most) {
        this.name = name;
        pool = new ThreadPoolExecutor(0, most, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), this::daemon);
    }

    private Thread daemon(Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Runs the work on this thread and beside it on up to so many others, each of which runs all of it.
     *
     * @param end when others that still run are no longer waited for, asked for once this thread is done; the work
     *     itself has to end by then
     * @return false when some of the others still run
     */
    public boolean run(Runnable work, int others, Supplier<Deadline> end) {
        List<CompletableFuture<Void>> running = begin(work, others);
        work.run();
        return running.isEmpty()
                || awaitEnd(CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)), end.get());
    }

    private List<CompletableFuture<Void>> begin(Runnable work, int others) {
        List<CompletableFuture<Void>> running = new ArrayList<>();
        try {
            while (running.size() < others) {
                running.add(CompletableFuture.runAsync(work, pool));
            }
        } catch (RejectedExecutionException e) {
            LOG.atTrace().addKeyValue("threads", name).setCause(e).log("no more threads are free");
        }
        return running;
    }

    private boolean awaitEnd(CompletableFuture<Void> all, Deadline end) {
        try {
            all.get(end.remaining().toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            LOG.atError()
                    .addKeyValue("threads", name)
                    .setCause(e.getCause())
                    .log("a thread that works for an operation failed");
            return false;
        }
    }
}
