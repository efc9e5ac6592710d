package io.sluice.provider.cosmos.turn;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.InstanceStats;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.candidate.QueueRows;
import io.sluice.provider.cosmos.deletion.Deletions;
import io.sluice.provider.cosmos.deletion.Meeting;
import io.sluice.provider.cosmos.document.DocumentIds;
import io.sluice.provider.cosmos.document.DocumentType;
import io.sluice.provider.cosmos.document.InstanceDocument;
import io.sluice.provider.cosmos.document.QueueDocument;
import io.sluice.provider.cosmos.document.Stored;
import io.sluice.provider.cosmos.document.TimeOrderedIds;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.slot.SlotSharing;
import io.sluice.provider.cosmos.staged.Staging;
import io.sluice.provider.cosmos.staged.TurnFinisher;
import io.sluice.provider.cosmos.staged.WholeReads;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.outbox.IntentOutbox;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The orchestrator side of the contract: fetching, acking, renewing and abandoning turns, and reading histories. Thread-safe. */
public final class Turns {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Deletions deletions;
    private final PartitionReader partitions;
    private final Histories histories;
    private final InstanceCache cache = new InstanceCache();
    private final TurnFeeds feeds;
    private final HeldTurns held;
    private final TurnFetch fetch;
    private final TurnAcks acks;
    private final TurnLocks locks;

    /**
     * What the turns of a provider need.
     *
     * @param clock that locks and visibility go by
     * @param service the service's own time
     * @param nanoTime the monotonic clock
     */
    public record Wiring(
            ContainerRequests requests,
            IntentOutbox outbox,
            Deletions deletions,
            TimeOrderedIds ids,
            TurnSettings settings,
            Consumer<List<Stored<QueueDocument>>> activitiesQueued,
            SlotSharing slots,
            InstantSource clock,
            InstantSource service,
            LongSupplier nanoTime) {}

    /** Wires the parts; no request is made. */
    public Turns(Wiring wiring) {
        deletions = wiring.deletions();
        TurnFinisher finisher = new TurnFinisher(wiring.requests(), wiring.clock());
        WholeReads whole = new WholeReads(wiring.requests(), finisher, this::isGone);
        QueueRows queue = new QueueRows(DocumentType.ORCHESTRATOR_QUEUE, wiring.nanoTime());
        partitions = new PartitionReader(wiring.requests(), queue, whole);
        histories = new Histories(wiring.requests(), whole);
        feeds = new TurnFeeds(
                wiring.requests(), queue, wiring.slots(), wiring.clock(), wiring.service(), wiring.nanoTime());
        held = new HeldTurns(partitions, wiring.clock());
        TurnParts parts = new TurnParts(
                wiring.requests(),
                partitions,
                histories,
                feeds,
                held,
                cache,
                finisher,
                new Staging(wiring.requests()),
                wiring.outbox(),
                deletions,
                wiring.ids(),
                wiring.settings(),
                wiring.activitiesQueued(),
                wiring.clock());
        fetch = new TurnFetch(parts);
        acks = new TurnAcks(parts);
        locks = new TurnLocks(parts);
    }

    /** The queue as this process sees it, to be told of new messages. */
    public TurnFeeds feeds() {
        return feeds;
    }

    /**
     * A completion has come for an instance: it has activities, so it has started, whatever was seen of it before. Of a turn that this process holds the
     * completion is taken up when the turn ends.
     */
    public void completionFor(String instanceId) {
        if (held.isHeld(instanceId)) {
            feeds.messagesFor(instanceId);
        } else {
            feeds.startFor(instanceId);
        }
    }

    /** See {@link io.sluice.provider.Provider#fetchOrchestrationItem}. */
    public Optional<LockedTurn> fetch(
            Duration lockTimeout, Duration pollTimeout, @Nullable DispatcherCapabilityFilter filter) {
        return fetch.fetch(lockTimeout, pollTimeout, filter);
    }

    /** See {@link io.sluice.provider.Provider#ackOrchestrationItem}. */
    public void ack(TurnAck ack) {
        acks.ack(ack);
    }

    /** See {@link io.sluice.provider.Provider#abandonOrchestrationItem}. */
    public void abandon(String lockToken, @Nullable Duration delay, boolean ignoreAttempt) {
        locks.abandon(lockToken, delay, ignoreAttempt);
    }

    /** See {@link io.sluice.provider.Provider#renewOrchestrationItemLock}. */
    public void renew(String lockToken, Duration extendFor) {
        locks.renew(lockToken, extendFor);
    }

    /** See {@link io.sluice.provider.Provider#read}. */
    public List<HistoryEvent> read(String instanceId) {
        Call call = checkedCall("read", instanceId);
        long execution = head(call, instanceId)
                .map(head -> head.document().currentExecutionId())
                .orElseGet(() -> histories.latestExecution(call, instanceId));
        return histories.readStrictly(call, instanceId, execution);
    }

    /** See {@link io.sluice.provider.Provider#readWithExecution}. */
    public List<HistoryEvent> readWithExecution(String instanceId, long executionId) {
        return histories.readStrictly(checkedCall("readWithExecution", instanceId), instanceId, executionId);
    }

    /** See {@link io.sluice.provider.Provider#appendWithExecution}. */
    public void append(String instanceId, long executionId, List<HistoryEvent> events) {
        Call call = checkedCall("appendWithExecution", instanceId);
        cache.forget(instanceId);
        histories.append(call, instanceId, executionId, events);
        feeds.allow(instanceId);
    }

    /** The head of an instance. */
    public Optional<InstanceDocument> instance(String operation, String instanceId) {
        return head(checkedCall(operation, instanceId), instanceId).map(Stored::document);
    }

    private Optional<Stored<InstanceDocument>> head(Call call, String instanceId) {
        return partitions
                .instance(call, instanceId)
                .filter(head -> !isGone(call, instanceId, head.document().lockToken()));
    }

    private boolean isGone(Call call, String instanceId, @Nullable String lockToken) {
        return deletions.meet(call, instanceId, lockToken) == Meeting.GONE;
    }

    /** One key of an instance, as a client sees it; one request, whatever other keys there are. */
    public Optional<String> keyValue(String operation, String instanceId, String key) {
        KeyValues values = partitions.keyValue(checkedCall(operation, instanceId), instanceId, key);
        return Optional.ofNullable(values.merged().get(key));
    }

    /** Both layers of an instance's key values. */
    public KeyValues keyValues(String operation, String instanceId) {
        return partitions.keyValues(checkedCall(operation, instanceId), instanceId);
    }

    /** See {@link io.sluice.provider.Provider#getInstanceStats}. */
    public Optional<InstanceStats> stats(String instanceId) {
        Call call = checkedCall("getInstanceStats", instanceId);
        return head(call, instanceId).flatMap(head -> {
            long execution = head.document().currentExecutionId();
            Map<String, String> values = partitions.keyValues(call, instanceId).merged();
            long valueBytes = values.values().stream()
                    .mapToLong(value -> value.getBytes(StandardCharsets.UTF_8).length)
                    .sum();
            InstanceStats stats = histories.stats(call, instanceId, execution, values.size(), valueBytes);
            // What a first fetch created is no instance yet.
            return head.document().isSurelyAcked() || stats.historyEventCount() > 0
                    ? Optional.of(stats)
                    : Optional.empty();
        });
    }

    private static Call checkedCall(String operation, String instanceId) {
        DocumentIds.checkInstanceId(operation, instanceId);
        return Call.onInstance(operation, instanceId, PATIENCE);
    }
}
