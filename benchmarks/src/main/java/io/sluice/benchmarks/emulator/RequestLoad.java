package io.sluice.benchmarks.emulator;

import io.sluice.benchmarks.store.HttpConnection;
import io.sluice.benchmarks.store.Parallel;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Connections that each send a request as soon as the last is answered. */
final class RequestLoad {
    static final int CONNECTIONS = 16;

    private RequestLoad() {}

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
        long began = System.nanoTime();
        long end = began + duration.toNanos();
        var connections = IntStream.range(0, CONNECTIONS)
                .mapToObj(requests)
                .<Callable<Long>>map(own -> () -> send(endpoint, own, end))
                .toList();
        long sent = Parallel.run(connections).stream().mapToLong(count -> count).sum();
        return sent * 1e9 / (System.nanoTime() - began);
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
