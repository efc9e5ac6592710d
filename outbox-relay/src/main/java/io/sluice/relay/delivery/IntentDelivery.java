package io.sluice.relay.delivery;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.loop.Threads;
import io.sluice.relay.partition.UnavailablePartition;
import io.sluice.relay.status.RelayStatus;
import io.sluice.relay.sweep.FoundSources;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Delivers intents. The change feed only signals: when it shows any intent of a source, the source's partition is
 * queried for all its undelivered intents, and each pair of source and target is delivered in order. A source that
 * fails is drained again later; if the process dies before, the sweep finds the source.
 *
 * <p>{@link #enqueueChanged} and {@link #requestDrain} may be called from any thread at any time, also before
 * {@link #start}.
 */
public final class IntentDelivery implements FoundSources, AutoCloseable {
    /** Sources that the sweep may be ahead of delivery. */
    private static final int MAX_BACKLOG = 2_000;

    /** Sources that are remembered with the time of their next drain; the sweep finds those that are forgotten. */
    private static final int MAX_LATER = 20_000;

    private final SourceDrains drains;
    private final InstantSource clock;
    private final SourceQueue queue;
    private final ChangedIntents changes;
    private final SourceWorker worker;
    private final PairExecutor pairs;
    private final ExecutorService threads;
    private final int concurrency;
    private final Duration drainTimeout;
    private boolean started;

    /**
     * Delivers nothing yet.
     *
     * @param control pauses delivery, and receives its heartbeat
     */
    public IntentDelivery(
            SourceDrains drains,
            RelayConfig.Delivery config,
            Duration drainTimeout,
            PipelineControl control,
            InstantSource clock) {
        this.drains = drains;
        this.clock = clock;
        this.concurrency = config.concurrency();
        this.drainTimeout = drainTimeout;
        var places = drains.places(concurrency);
        this.queue = new SourceQueue(
                clock, places, new SourceQueue.Limits(maxBacklogInHand(concurrency), MAX_BACKLOG, MAX_LATER));
        this.changes = new ChangedIntents(queue, drains, clock);
        // Pools start their threads with their first task, not here.
        this.pairs = new PairExecutor(places, drainTimeout);
        var slow = new SlowPairs(queue::add, control::isPaused);
        this.threads = Executors.newFixedThreadPool(concurrency, Threads.named("sluice-source"));
        this.worker = new SourceWorker(
                changes,
                new SourceWorker.Drains(drains.on(pairs.forNew(), slow), drains.on(pairs.forBacklog(), slow)),
                DeliveryPolicy.backoff(config.backoff()),
                control);
    }

    /** A quarter of the workers is always free for new intents. */
    private static int maxBacklogInHand(int concurrency) {
        return Math.max(1, concurrency - Math.max(1, concurrency / 4));
    }

    /** Begins to deliver. */
    public synchronized void start() {
        if (!started) {
            started = true;
            for (int i = 0; i < concurrency; i++) {
                threads.execute(worker);
            }
        }
    }

    /** Whether a source is due, or failing; if none is, a silent worker is no fault. */
    public boolean hasDueWork() {
        return queue.hasDueWork();
    }

    /** The partitions of the store to which nothing can be delivered. */
    public List<UnavailablePartition> unavailable() {
        return drains.unavailable();
    }

    /** What was delivered so far; dispatches that only the sweep and the store know are left out. */
    public RelayStatus.Intents status() {
        return drains.status(queue.size());
    }

    @Override
    public boolean enqueueSwept(Set<String> sources) {
        drains.confirmSwept(sources);
        long now = clock.millis();
        boolean hadRoom = true;
        for (var source : sources) {
            hadRoom &= queue.addBacklog(source, now);
        }
        return hadRoom;
    }

    @Override
    public void beginSweep() {
        drains.beginSweep();
    }

    @Override
    public void endSweep() {
        drains.endSweep();
    }

    @Override
    public boolean hasRoom() {
        return queue.hasBacklogRoom();
    }

    /** Requests a drain of a source now. */
    public void requestDrain(String source) {
        queue.add(source, clock.millis());
    }

    @Override
    public boolean enqueueChanged(List<JsonNode> documents) {
        return changes.enqueue(documents);
    }

    /** Takes nothing new, waits for the drains under way, at most the drain timeout. */
    @Override
    public synchronized void close() {
        started = true;
        queue.close();
        Threads.drain(threads, drainTimeout);
        pairs.close();
    }
}
