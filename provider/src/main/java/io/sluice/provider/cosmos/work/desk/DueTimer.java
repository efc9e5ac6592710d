package io.sluice.provider.cosmos.work.desk;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a task when something becomes due, on a daemon thread of its own that ends when it is idle. Guarded by its
 * owner's lock.
 */
final class DueTimer {
    private static final Logger LOG = LoggerFactory.getLogger(DueTimer.class);
    private static final long IDLE_SECONDS = 60;
    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, DueTimer::thread);
    private final Runnable task;
    private @Nullable ScheduledFuture<?> next;

    /** @param task calls {@link #began} first, and {@link #runWithin} as long as something becomes due */
    DueTimer(Runnable task) {
        this.task = task;
        thread.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
        thread.setRemoveOnCancelPolicy(true);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "sluice-work-timer");
        thread.setDaemon(true);
        return thread;
    }

    /** The task runs then, or earlier; {@link Long#MAX_VALUE} for never. */
    void runWithin(long nanos) {
        ScheduledFuture<?> planned = next;
        // It is done only where it failed before it could say that it began.
        boolean isEarly = planned != null && !planned.isDone() && planned.getDelay(TimeUnit.NANOSECONDS) <= nanos;
        if (isEarly || nanos == Long.MAX_VALUE) {
            return;
        }
        if (planned != null) {
            planned.cancel(false);
        }
        next = thread.schedule(this::run, Math.max(nanos, SHORTEST_NANOS), TimeUnit.NANOSECONDS);
    }

    private void run() {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("what is due could not be done; the next event of its queue does it");
        }
    }

    /** The task runs: it says itself when it runs next. */
    void began() {
        next = null;
    }

    /** It never runs again. */
    void close() {
        thread.shutdownNow();
    }
}
