package io.sluice.relay.deadletter;

import io.sluice.relay.ops.Reason;
import io.sluice.relay.ops.Stop;
import io.sluice.relay.ops.Threads;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Retries many dead letters behind a caller's back, as that takes its time; one run at a time. Thread-safe. */
public final class RetryRun implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RetryRun.class);

    private final DeadLetterDesk desk;
    private final Duration drainTimeout;
    private final AtomicBoolean busy = new AtomicBoolean();
    private final Stop stop = new Stop();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(Threads.named("sluice-retry"));

    /** Runs nothing yet. */
    public RetryRun(DeadLetterDesk desk, Duration drainTimeout) {
        this.desk = desk;
        this.drainTimeout = drainTimeout;
    }

    /**
     * Begins to retry.
     *
     * @param source only of this instance; null for all
     * @return false when another run is under way
     */
    public boolean begin(@Nullable String source) {
        if (!busy.compareAndSet(false, true)) {
            return false;
        }
        thread.execute(() -> run(source));
        return true;
    }

    /** Whether a run is under way. */
    public boolean isBusy() {
        return busy.get();
    }

    private void run(@Nullable String source) {
        try {
            var ended = desk.retryAll(source, () -> !stop.isRequested());
            LOG.atWarn()
                    .addKeyValue("retried", ended.retried())
                    .addKeyValue("answered", ended.answered())
                    .addKeyValue("gone", ended.gone())
                    .log("dead letters retried by an operator");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).log("retrying dead letters ended early: {}", Reason.of(e));
        } finally {
            busy.set(false);
        }
    }

    /** Ends the run under way after the dead letter in hand. */
    @Override
    public void close() {
        stop.request();
        Threads.drain(thread, drainTimeout);
    }
}
