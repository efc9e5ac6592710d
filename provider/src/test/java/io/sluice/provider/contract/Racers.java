package io.sluice.provider.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntToLongFunction;

/** Runs the same call on many threads, one after the other within milliseconds. */
final class Racers {
    private static final long LONGEST_SECONDS = 60;

    private Racers() {}

    /** Calls on {@code count} threads, the i-th after {@code startMillis(i)}; all results in the order of i. */
    static <T> List<T> race(int count, IntToLongFunction startMillis, Callable<T> call)
            throws InterruptedException, ExecutionException, TimeoutException {
        ScheduledExecutorService threads = Executors.newScheduledThreadPool(count);
        try {
            List<Future<T>> running = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                running.add(threads.schedule(call, startMillis.applyAsLong(i), TimeUnit.MILLISECONDS));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : running) {
                results.add(future.get(LONGEST_SECONDS, TimeUnit.SECONDS));
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }
}
