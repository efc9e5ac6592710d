package io.sluice.relay.delivery;

import io.sluice.program.FailureReason;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.RetryBackoff;
import io.sluice.relay.partition.CircuitOpenException;
import java.time.InstantSource;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes sources from the queue and drains them until the queue is closed. One serves all threads; thread-safe. */
final class SourceWorker implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(SourceWorker.class);
    private static final long PAUSE_CHECK_MILLIS = 200;
    /** Almost always longer than a copy of the store lags behind; the sweep finds the rest. */
    private static final long COPIES_LAG_MILLIS = 1_000;

    private final SourceQueue queue;
    private final ChangedIntents changes;
    private final Drains drains;
    private final RetryBackoff backoff;
    private final PipelineControl control;
    private final InstantSource clock;

    /**
     * Drains of one source: with the threads for new intents, or with the threads for the backlog.
     *
     * @param forNew for a source with new intents
     * @param forBacklog for a source that the sweep has found
     */
    record Drains(SourceDrain forNew, SourceDrain forBacklog) {}

    SourceWorker(ChangedIntents changes, Drains drains, RetryBackoff backoff, PipelineControl control) {
        this.queue = changes.queue();
        this.clock = changes.clock();
        this.changes = changes;
        this.drains = drains;
        this.backoff = backoff;
        this.control = control;
    }

    @Override
    public void run() {
        try {
            for (var taken = queue.take(); taken != null; taken = queue.take()) {
                while (control.isPaused() && !queue.isClosed()) {
                    control.awaitResumed(PAUSE_CHECK_MILLIS);
                    control.beat();
                }
                // Else the sweep of the next start finds the source again.
                if (!control.isPaused()) {
                    drain(taken);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void drain(SourceQueue.Taken taken) {
        var result = DrainResult.FAILED;
        var expected = changes.takeExpected(taken.source());
        try {
            result =
                    (taken.ofBacklog() ? drains.forBacklog() : drains.forNew()).run(taken.source(), this::beatAndCheck);
        } catch (CircuitOpenException e) {
            result = DrainResult.dueAt(clock.millis() + e.delay().toMillis());
        } catch (RuntimeException e) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.SOURCE, taken.source())
                    .addKeyValue(LogKeys.REASON, FailureReason.of(e))
                    .log("the intents of a source could not be read or removed, the relay will try again");
            LOG.atDebug()
                    .addKeyValue(LogKeys.SOURCE, taken.source())
                    .setCause(e)
                    .log("why the intents of a source could not be read or removed");
        } catch (Error e) {
            // The end of this thread would not be noticed, so it must continue.
            LOG.atError()
                    .addKeyValue(LogKeys.SOURCE, taken.source())
                    .setCause(e)
                    .log("an error ended the delivery of a source's intents, the relay will try again");
        } finally {
            long nextMillis = result.hasFailed()
                    ? result.nextMillis(
                            clock.millis() + backoff.after(taken.failures() + 1).toMillis())
                    : Math.min(result.nextMillis(), nextLook(expected));
            // Also after a failure: when the store fails, a restart of this process does not help.
            control.beat();
            queue.giveBack(taken, nextMillis, result.hasFailed());
        }
    }

    private long nextLook(Set<ChangedIntents.Version> expected) {
        return changes.isMissed(expected) ? clock.millis() + COPIES_LAG_MILLIS : SourceQueue.NEVER;
    }

    /** Shows in the middle of a drain that the worker lives; returns whether the drain may continue. */
    private boolean beatAndCheck() {
        control.beat();
        return !control.isPaused() && !queue.isClosed();
    }
}
