package io.sluice.examples.runtime;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews locks while their holder works. */
final class LockRenewer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LockRenewer.class);

    private final ScheduledExecutorService executor;

    LockRenewer(int threads) {
        executor = Executors.newScheduledThreadPool(threads, new NamedThreads("sluice-lock-renewer"));
    }

    /** Runs {@code renewal} every period until the hold is closed, or until it fails: then {@code lost} runs once. */
    Hold hold(Duration period, Runnable renewal, Runnable lost) {
        Hold hold = new Hold();
        Runnable guarded = () -> {
            try {
                renewal.run();
            } catch (RuntimeException e) {
                LOG.atWarn().setCause(e).log("lock not renewed");
                hold.close();
                lost.run();
            }
        };
        hold.future =
                executor.scheduleWithFixedDelay(guarded, period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
        return hold;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    /** A lock that is being renewed. */
    static final class Hold {
        private volatile @Nullable ScheduledFuture<?> future;

        void close() {
            ScheduledFuture<?> current = future;
            if (current != null) {
                current.cancel(false);
            }
        }
    }
}
