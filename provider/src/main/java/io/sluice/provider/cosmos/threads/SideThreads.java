package io.sluice.provider.cosmos.threads;

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads on which operations do several things at one time: the caller's own, and of this pool as many as are
 * free. So no operation waits for a thread, whatever threads the callers are on and however many of them there are.
 * Idle threads of the pool end. Thread-safe.
 */
public final class SideThreads {
    private static final Logger LOG = LoggerFactory.getLogger(SideThreads.class);
    private static final int MOST = 64;
    private static final int IDLE_SECONDS = 10;

    private final String name;
    private final Executor pool =
            new ThreadPoolExecutor(0, MOST, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), this::thread);

    /** Starts none yet; {@code name} is what they are called. */
    public SideThreads(String name) {
        this.name = name;
    }

    private Thread thread(Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Runs the work on this thread and beside it on up to so many others, each of which runs all of it.
     *
     * @param end when others that still run are no longer waited for; the work itself has to end by then
     * @return false when some of the others still run
     */
    public boolean run(Runnable work, int others, Deadline end) {
        List<CompletableFuture<Void>> running = begin(work, others);
        work.run();
        return awaitEnd(CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)), end);
    }

    private List<CompletableFuture<Void>> begin(Runnable work, int others) {
        List<CompletableFuture<Void>> running = new ArrayList<>();
        try {
            while (running.size() < others) {
                running.add(CompletableFuture.runAsync(work, pool));
            }
        } catch (RejectedExecutionException e) {
            LOG.atTrace().setCause(e).addKeyValue("threads", name).log("no more threads are free");
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
                    .setCause(e.getCause())
                    .addKeyValue("threads", name)
                    .log("a thread that works beside others failed");
            return false;
        }
    }
}
