package io.sluice.benchmarks.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs pieces of work, each on a thread of its own. */
public final class Parallel {
    private Parallel() {}

    /**
     * Runs all pieces at the same time.
     *
     * @return the results, in the order of the pieces
     * @throws IllegalStateException when one failed, or the thread was interrupted; the others are interrupted then
     */
    public static <T> List<T> run(List<? extends Callable<T>> work) {
        ExecutorService threads = Executors.newFixedThreadPool(work.size());
        try {
            List<Future<T>> running = new ArrayList<>();
            work.forEach(piece -> running.add(threads.submit(piece)));
            List<T> done = new ArrayList<>();
            for (Future<T> piece : running) {
                done.add(piece.get());
            }
            return done;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while others work", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a part of the work failed", e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }
}
