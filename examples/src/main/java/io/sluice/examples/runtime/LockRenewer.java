package io.sluice.examples.runtime;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews locks while their holder works. */
final class LockRenewer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LockRenewer.class);

    private final ScheduledExecutorService executor;

    LockRenewer(int threads) {
        executor = Executors.newScheduledThreadPool(threads, new NamedThreads("sluice-lock-renewer"));
    }

    /** Runs {@code renewal} every period until it is cancelled, or until it fails: then {@code lost} runs once. */
    Future<?> renew(Duration period, Runnable renewal, Runnable lost) {
        Runnable guarded = () -> {
            try {
                renewal.run();
            } catch (RuntimeException e) {
                LOG.atWarn().setCause(e).log("lock not renewed");
                lost.run();
                throw e; // ends the renewals
            }
        };
        return executor.scheduleWithFixedDelay(guarded, period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
