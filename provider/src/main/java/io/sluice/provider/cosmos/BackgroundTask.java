package io.sluice.provider.cosmos;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a step now and then on a daemon thread of its own. The pauses differ by a quarter at random, so that processes
 * which began together spread out. A step that fails is run again after the next pause. Closed before it was started,
 * it never runs.
 */
final class BackgroundTask {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundTask.class);

    private static final String FAILED = "a background task failed and is run again after a pause";

    private final Predicate<BooleanSupplier> step;
    private final Duration interval;
    private final Thread thread;
    private final CountDownLatch stopped = new CountDownLatch(1);

    /**
     * A task that does not run yet.
     *
     * @param step is given what says whether it may go on, to be asked between its parts; answers false when it is
     *     never to be run again
     */
    BackgroundTask(String name, Duration interval, Predicate<BooleanSupplier> step) {
        this.step = step;
        this.interval = interval;
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    /** Begins with a pause. */
    void start() {
        thread.start();
    }

    /** Ends a pause at once, and a step between two of its parts. */
    void stop() {
        stopped.countDown();
    }

    /** Waits for the end of a step, not longer than this; an interruption ends the wait. */
    void awaitEnd(Duration atMost) {
        try {
            thread.join(Math.max(1, atMost.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    boolean isRunning() {
        return thread.isAlive();
    }

    private void run() {
        try {
            while (!stopped.await(pauseMillis(), TimeUnit.MILLISECONDS)) {
                if (!runStep()) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean runStep() {
        try {
            return step.test(() -> stopped.getCount() > 0);
        } catch (RuntimeException e) {
            LOG.atWarn().addKeyValue("task", thread.getName()).setCause(e).log(FAILED);
        } catch (Error e) {
            // A thread that ended would never work again, and no log would say so.
            LOG.atError().addKeyValue("task", thread.getName()).setCause(e).log(FAILED);
        }
        return true;
    }

    private long pauseMillis() {
        long quarter = interval.toMillis() / 4;
        return interval.toMillis() - quarter + ThreadLocalRandom.current().nextLong(2 * quarter + 1);
    }
}
