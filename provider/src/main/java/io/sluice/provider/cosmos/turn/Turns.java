package io.sluice.provider.cosmos.turn;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.deletion.Deletions;
import io.sluice.provider.cosmos.turn.ack.AckPlanner;
import io.sluice.provider.cosmos.turn.ack.TurnAcks;
import io.sluice.provider.cosmos.turn.fetch.TurnFetch;
import io.sluice.provider.cosmos.turn.lock.TurnLocks;
import io.sluice.provider.cosmos.turn.read.Histories;
import io.sluice.provider.cosmos.turn.read.InstanceCache;
import io.sluice.provider.cosmos.turn.read.InstanceReads;
import io.sluice.provider.cosmos.turn.read.KeyValues;
import io.sluice.provider.cosmos.turn.read.StoredInstances;
import io.sluice.provider.cosmos.turn.work.TurnQueue;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.request.ContainerRequests;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The orchestrator side of the contract: fetching, acking, renewing and abandoning turns, and reading instances.
 * Thread-safe.
 */
public final class Turns {
    private final TurnQueue queue;
    private final InstanceCache cache;
    private final StoredInstances stored;
    private final TurnFetch fetch;
    private final TurnAcks acks;
    private final TurnLocks locks;

    /**
     * Wires the parts; no request is made.
     *
     * @param clock that locks and visibility go by
     */
    public Turns(
            ContainerRequests requests, TurnQueue queue, Deletions deletions, AckPlanner planner, InstantSource clock) {
        this.queue = queue;
        this.cache = queue.remembered();
        stored = new StoredInstances(requests, queue.rows(), deletions, clock);
        locks = new TurnLocks(stored, queue);
        fetch = new TurnFetch(
                stored, queue, locks, deletions, planner.settings().droppingOrphanEvents());
        acks = new TurnAcks(stored, queue, locks.held(), planner);
    }

    /** The queue as this process sees it, where new messages are announced. */
    public TurnQueue queue() {
        return queue;
    }

    /**
     * This process has created an instance with its first message: it is remembered, so that its first turn needs no
     * read it.
     */
    public void started(Stored<InstanceDocument> head, QueueDocument first) {
        String instanceId = first.instanceId();
        if (!stored.histories().wasAppendedTo(instanceId)) {
            cache.put(instanceId, new InstanceCache.Entry(head, Histories.Decoded.EMPTY, KeyValues.NONE, List.of()));
        }
        queue.queued(first);
    }

    /** Reads that lock nothing. */
    public InstanceReads reads() {
        return stored.reads();
    }

    /**
     * Announces a completion for an instance: it has activities, so it has started, whatever was seen of it before. Of
     * a turn that this process holds the completion is taken up when the turn ends.
     *
     * @param message null where it is not in the instance's partition yet
     */
    public void announceCompletion(String instanceId, @Nullable QueueDocument message) {
        queue.completedActivity(instanceId);
        if (locks.held().isHeld(instanceId)) {
            queue.messagesFor(instanceId, message);
        } else {
            queue.arrived(instanceId, message);
        }
    }

    /** See {@link io.sluice.provider.Provider#fetchOrchestrationItem}. */
    public Optional<LockedTurn> fetch(
            Duration lockTimeout, Duration pollTimeout, @Nullable DispatcherCapabilityFilter filter) {
        return fetch.fetch(lockTimeout, pollTimeout, filter);
    }

    /** See {@link io.sluice.provider.InstanceTurns#fetch}. */
    public Optional<LockedTurn> fetch(String instanceId, Duration lockTimeout) {
        return fetch.fetch(instanceId, lockTimeout);
    }

    /**
     * See {@link io.sluice.provider.Provider#ackOrchestrationItem}.
     *
     * @return the activities that the ack queued, as far as their versions are known
     */
    public List<Stored<QueueDocument>> ack(TurnAck ack) {
        return acks.ack(ack);
    }

    /** See {@link io.sluice.provider.Provider#abandonOrchestrationItem}. */
    public void abandon(String lockToken, @Nullable Duration delay, boolean ignoreAttempt) {
        locks.abandon(lockToken, delay, ignoreAttempt);
    }

    /** See {@link io.sluice.provider.Provider#renewOrchestrationItemLock}. */
    public void renew(String lockToken, Duration extendFor) {
        locks.renew(lockToken, extendFor);
    }

    /** See {@link io.sluice.provider.Provider#appendWithExecution}. */
    public void append(String instanceId, long executionId, List<HistoryEvent> events) {
        cache.forget(instanceId);
        stored.histories().append(instanceId, executionId, events);
        queue.allow(instanceId);
    }
}
