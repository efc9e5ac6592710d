package io.sluice.provider.kafka.thread;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads of a feed. Not thread-safe: the feed's own lock guards it. */
public final class FeedThreads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FeedThreads.class);

    private final Duration closeTimeout;
    private final Map<FeedLoop, Thread> running = new LinkedHashMap<>();

    public FeedThreads(Duration closeTimeout) {
        this.closeTimeout = closeTimeout;
    }

    public void start(FeedLoop loop) {
        start(List.of(loop));
    }

    public void start(List<? extends FeedLoop> loops) {
        running.values().removeIf(thread -> !thread.isAlive());
        for (FeedLoop loop : loops) {
            Thread thread = new Thread(loop, loop.name());
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((ended, failure) -> LOG.atError()
                    .addKeyValue("thread", ended.getName())
                    .setCause(failure)
                    .log("a thread of the work feed ended, its announcements can't be relied on until a restart"));
            running.put(loop, thread);
            thread.start();
        }
    }

    /** Their threads end soon; {@link #close} waits for those that have not. */
    public void stop(List<? extends FeedLoop> loops) {
        loops.forEach(FeedLoop::stop);
    }

    /** Returns when all threads have ended, at the latest after the timeout. */
    @Override
    public void close() {
        running.keySet().forEach(FeedLoop::stop);
        long deadlineNanos = System.nanoTime() + closeTimeout.toNanos();
        List<String> left = new ArrayList<>();
        for (Thread thread : running.values()) {
            join(thread, deadlineNanos);
            if (thread.isAlive()) {
                left.add(thread.getName());
                thread.interrupt();
            }
        }
        running.clear();
        if (!left.isEmpty()) {
            LOG.atWarn()
                    .addKeyValue("threads", left)
                    .addKeyValue("timeout", closeTimeout)
                    .log("threads of the work feed did not end in time and were interrupted");
        }
    }

    private static void join(Thread thread, long deadlineNanos) {
        try {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
            thread.join(Math.max(1, leftMillis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
