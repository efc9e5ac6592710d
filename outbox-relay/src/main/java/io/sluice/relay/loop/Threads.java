package io.sluice.relay.loop;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Named threads and how to wait for them. */
public final class Threads {
    private Threads() {}

    /** Makes daemon threads called {@code <prefix>-1}, {@code <prefix>-2}, ... */
    public static ThreadFactory named(String prefix) {
        var count = new AtomicInteger();
        return task -> {
            var thread = new Thread(task, prefix + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * Waits for a thread to end.
     *
     * @return false when it still runs after the time given, or the waiting thread was interrupted (the flag is kept)
     */
    public static boolean join(Thread thread, Duration timeout) {
        try {
            thread.join(Math.max(1, timeout.toMillis()));
            return !thread.isAlive();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Takes no new tasks, waits for those under way, and interrupts them when the time given is over. */
    public static void drain(ExecutorService executor, Duration timeout) {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                executor.shutdownNow();
            }
        } catch (InterruptedException e) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
