package io.sluice.provider.cosmos.turn;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.deletion.DeletionState;
import io.sluice.provider.cosmos.deletion.Deletions;
import io.sluice.provider.cosmos.staged.Staging;
import io.sluice.provider.cosmos.staged.TurnFinisher;
import io.sluice.provider.cosmos.staged.WholeReads;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.request.Call;
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
    private final Histories histories;
    private final InstanceReads reads;
    private final HeldTurns held;
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
        TurnFinisher finisher = new TurnFinisher(requests, clock);
        Staging staging = new Staging(requests);
        WholeReads whole = new WholeReads(
                requests,
                finisher,
                (call, instanceId, lockToken) -> deletions.help(call, instanceId, lockToken) == DeletionState.REMOVED);
        PartitionReader partitions = new PartitionReader(requests, queue.rows(), whole);
        histories = new Histories(requests, whole);
        reads = new InstanceReads(partitions, histories, deletions);
        held = new HeldTurns(partitions, cache, queue, clock);
        locks = new TurnLocks(requests, partitions, held, clock);

        TurnSettlement settlement = new TurnSettlement(requests, partitions, held, clock);
        AckWriter writer = new AckWriter(requests, settlement, finisher, held, clock);
        ImmediateDelivery delivery = new ImmediateDelivery(
                new IntentOutbox(requests, clock), new FailedIntents(requests, clock), planner.settings(), clock);
        acks = new TurnAcks(
                held,
                planner,
                writer,
                new StagedAcks(planner, writer, staging, histories, held),
                new AckCompletion(held, cache, queue, delivery));

        UnstartedInstances unstarted =
                new UnstartedInstances(histories, new OrphanMessages(requests, partitions, planner.settings()), queue);
        CandidateReader reader = new CandidateReader(partitions, cache, finisher, deletions, unstarted);
        TurnLocker locker = new TurnLocker(requests, partitions, clock);
        TurnTaker taker = new TurnTaker(
                reader,
                new TurnOpener(locker, histories, cache, queue),
                new LockedTurnReader(locks, held, staging, queue, clock),
                clock);
        fetch = new TurnFetch(queue, partitions, taker, clock);
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
        if (!histories.wasAppendedTo(instanceId)) {
            cache.put(instanceId, new InstanceCache.Entry(head, Histories.Decoded.EMPTY, KeyValues.NONE, List.of()));
        }
        queue.queued(first);
    }

    /** Reads that lock nothing. */
    public InstanceReads reads() {
        return reads;
    }

    /**
     * Announces a completion for an instance: it has activities, so it has started, whatever was seen of it before. Of
     * a turn that this process holds the completion is taken up when the turn ends.
     *
     * @param message null where it is not in the instance's partition yet
     */
    public void announceCompletion(String instanceId, @Nullable QueueDocument message) {
        queue.completedActivity(instanceId);
        if (held.isHeld(instanceId)) {
            queue.messagesFor(instanceId, message);
        } else {
            queue.arrived(instanceId, message);
        }
    }

    /** See {@link io.sluice.provider.Provider#fetchOrchestrationItem}. */
    public Optional<LockedTurn> fetch(
            Duration lockTimeout, Duration pollTimeout, @Nullable DispatcherCapabilityFilter filter) {
        return fetch.fetch(FetchRequest.of(lockTimeout, filter), pollTimeout);
    }

    /** See {@link io.sluice.provider.InstanceTurns#fetch}. */
    public Optional<LockedTurn> fetch(String instanceId, Duration lockTimeout) {
        TurnLocker.check(FetchRequest.OPERATION, instanceId);
        return fetch.fetch(instanceId, FetchRequest.of(lockTimeout, null));
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
        Call call = InstanceReads.checkedCall("appendWithExecution", instanceId);
        cache.forget(instanceId);
        histories.append(call, instanceId, executionId, events);
        queue.allow(instanceId);
    }
}
