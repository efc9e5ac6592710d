package io.sluice.examples.runtime;

import io.sluice.provider.ProviderException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fetches and works items of one queue until it is stopped; pauses longer after each failure in a row. */
final class QueueLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(QueueLoop.class);
    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 3_000;

    private final String name;
    private final Runnable step;
    private final RuntimeCounters counters;
    private final CountDownLatch stop;

    QueueLoop(String name, Runnable step, RuntimeCounters counters, CountDownLatch stop) {
        this.name = name;
        this.step = step;
        this.counters = counters;
        this.stop = stop;
    }

    @Override
    public void run() {
        int failures = 0;
        while (!stopRequested(failures == 0 ? 0 : pauseMillis(failures))) {
            try {
                step.run();
                failures = 0;
            } catch (ProviderException e) {
                failures = e.retryable() ? failures + 1 : 1;
                counters.storeFailures.increment();
                LOG.atWarn().addKeyValue("loop", name).setCause(e).log("step failed, will go on");
            } catch (RuntimeException e) {
                failures++;
                LOG.atError().addKeyValue("loop", name).setCause(e).log("step failed unexpectedly, will go on");
            }
        }
    }

    private static long pauseMillis(int failures) {
        return Math.min(FIRST_PAUSE_MILLIS << Math.min(failures - 1, 10), LONGEST_PAUSE_MILLIS);
    }

    private boolean stopRequested(long pauseMillis) {
        try {
            return stop.await(pauseMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
