package io.sluice.relay.delivery;

import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.log.FailureReason;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.RetryBackoff;
import io.sluice.relay.loop.Threads;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads that take sources from the queue and drain them. Thread-safe. */
final class SourceWorkers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SourceWorkers.class);
    private static final long PAUSE_CHECK_MILLIS = 200;

    private final SourceQueue queue;
    private final IntentDelivery.Settings settings;
    private final PipelineControl control;
    private final InstantSource clock;
    private final RetryBackoff backoff;
    private final PairExecutor pairs;
    private final SourceDrain drain;
    private final SourceDrain backlogDrain;
    private final ExecutorService threads;

    SourceWorkers(
            SourceQueue queue,
            SourceDrains drains,
            IntentDelivery.Settings settings,
            PipelineControl control,
            InstantSource clock) {
        this.queue = queue;
        this.settings = settings;
        this.control = control;
        this.clock = clock;
        this.backoff = new RetryBackoff(settings.backoff(), new Random());
        // Pools start their threads with their first task, not here.
        this.pairs = new PairExecutor(settings.concurrency(), settings.drainTimeout());
        this.drain = drains.on(pairs.forNew());
        this.backlogDrain = drains.on(pairs.forBacklog());
        this.threads = Executors.newFixedThreadPool(settings.concurrency(), Threads.named("sluice-source"));
    }

    void start() {
        for (int i = 0; i < settings.concurrency(); i++) {
            threads.execute(this::run);
        }
    }

    private void run() {
        try {
            for (var taken = queue.take(); taken != null; taken = queue.take()) {
                while (control.isPaused() && !queue.isClosed()) {
                    control.awaitResumed(PAUSE_CHECK_MILLIS);
                    control.beat();
                }
                if (control.isPaused()) {
                    // The sweep of the next start finds the source again.
                    taken.waiting().forEach(waiting -> waiting.cancel(false));
                } else {
                    drain(taken);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void drain(SourceQueue.Taken taken) {
        var result = DrainResult.TROUBLE;
        try {
            result = (taken.ofBacklog() ? backlogDrain : drain).run(taken.source(), this::beatAndCheck);
        } catch (CircuitOpenException e) {
            result = DrainResult.dueAt(clock.millis() + e.rest().toMillis());
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
            // Nobody would notice that this thread had ended, so it must continue.
            LOG.atError()
                    .addKeyValue(LogKeys.SOURCE, taken.source())
                    .setCause(e)
                    .log("an error ended the delivery of a source's intents, the relay will try again");
        } finally {
            long nextMillis = result.inTrouble()
                    ? result.nextMillis(
                            clock.millis() + backoff.after(taken.failures() + 1).toMillis())
                    : result.nextMillis();
            // Also after trouble: when the store fails, a restart of this process does not help.
            control.beat();
            queue.giveBack(taken, nextMillis, result.inTrouble());
            taken.waiting().forEach(waiting -> waiting.complete(null));
        }
    }

    /** Shows in the middle of a drain that the worker lives; returns whether the drain may continue. */
    private boolean beatAndCheck() {
        control.beat();
        return !control.isPaused() && !queue.isClosed();
    }

    /** Waits for the drains under way, at most the drain timeout; the queue must be closed before. */
    @Override
    public void close() {
        Threads.drain(threads, settings.drainTimeout());
        pairs.close();
    }
}
