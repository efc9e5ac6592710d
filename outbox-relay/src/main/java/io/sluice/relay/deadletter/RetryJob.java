package io.sluice.relay.deadletter;

import io.sluice.program.FailureReason;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.StopRequest;
import io.sluice.relay.loop.Threads;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Retries many dead letters in the background; one run at a time. Thread-safe. */
public final class RetryJob implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RetryJob.class);

    private final DeadLetterAdmin admin;
    private final Runnable changed;
    private final InstantSource clock;
    private final Duration drainTimeout;
    private final AtomicBoolean busy = new AtomicBoolean();
    private final StopRequest stop = new StopRequest();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(Threads.named("sluice-retry"));

    private volatile @Nullable Ended latest;

    /**
     * The result of a run.
     *
     * @param source only of this instance; null for all
     */
    public record Ended(Instant at, @Nullable String source, RetryResult retried) {}

    /**
     * Runs nothing yet.
     *
     * @param changed runs after every run, as there are fewer dead letters now
     */
    public RetryJob(DeadLetterAdmin admin, Runnable changed, InstantSource clock, Duration drainTimeout) {
        this.admin = admin;
        this.changed = changed;
        this.clock = clock;
        this.drainTimeout = drainTimeout;
    }

    /**
     * Begins a run.
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

    /** The result of the latest run; null before the end of the first. */
    public @Nullable Ended latest() {
        return latest;
    }

    private void run(@Nullable String source) {
        try {
            recordResult(source, admin.retryAll(source, () -> !stop.isRequested()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            recordResult(source, new RetryResult(Map.of(), false, FailureReason.of(e)));
        } finally {
            busy.set(false);
            changed.run();
        }
    }

    private void recordResult(@Nullable String source, RetryResult retried) {
        latest = new Ended(clock.instant(), source, retried);
        var line = LOG.atWarn();
        for (var fate : RetryResult.Fate.values()) {
            line = line.addKeyValue(fate.label(), retried.count(fate));
        }
        if (retried.lastError() != null) {
            line = line.addKeyValue(LogKeys.REASON, retried.lastError());
        }
        line.log(
                retried.complete()
                        ? "dead letters retried by an operator"
                        : "retrying dead letters ended before all were processed");
    }

    /** Ends the run under way after the current dead letter. */
    @Override
    public void close() {
        stop.request();
        Threads.drain(thread, drainTimeout);
    }
}
