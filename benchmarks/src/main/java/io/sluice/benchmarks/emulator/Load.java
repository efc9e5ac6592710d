package io.sluice.benchmarks.emulator;

import io.sluice.benchmarks.store.HttpConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Connections that each send a request as soon as the last is answered. */
final class Load {
    static final int CONNECTIONS = 16;

    private Load() {}

    /** Gives a connection's next request. */
    interface Requests {
        byte[] next();
    }

    /**
     * Sends for a while.
     *
     * @param requests of each connection, by its index
     * @return answers per second
     */
    static double perSecond(String endpoint, Duration duration, IntFunction<Requests> requests) {
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        try {
            List<Future<Long>> sent = new ArrayList<>();
            long began = System.nanoTime();
            long end = began + duration.toNanos();
            for (int i = 0; i < CONNECTIONS; i++) {
                var own = requests.apply(i);
                sent.add(threads.submit(() -> send(endpoint, own, end)));
            }
            long all = 0;
            for (var count : sent) {
                all += count.get();
            }
            return all * 1e9 / (System.nanoTime() - began);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted under load", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a request failed under load", e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private static long send(String endpoint, Requests requests, long end) {
        long sent = 0;
        try (var connection = new HttpConnection(endpoint)) {
            while (System.nanoTime() < end) {
                connection.exchange(requests.next());
                sent++;
            }
        }
        return sent;
    }
}
