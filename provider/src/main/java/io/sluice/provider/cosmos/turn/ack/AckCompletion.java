package io.sluice.provider.cosmos.turn.ack;

import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.turn.lock.HeldTurns;
import io.sluice.provider.cosmos.turn.read.Histories;
import io.sluice.provider.cosmos.turn.read.InstanceCache;
import io.sluice.provider.cosmos.turn.read.Messages;
import io.sluice.provider.cosmos.turn.work.TurnQueue;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.work.WorkItem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What follows a committed ack in this process: its intents are delivered, the instance is remembered, and dispatchers
 * that wait wake. Thread-safe.
 */
final class AckCompletion {
    private static final String ACKED = "it was acked already";

    private final HeldTurns held;
    private final InstanceCache cache;
    private final TurnQueue queue;
    private final ImmediateDelivery delivery;

    AckCompletion(HeldTurns held, TurnQueue queue, ImmediateDelivery delivery) {
        this.held = held;
        this.cache = queue.remembered();
        this.queue = queue;
        this.delivery = delivery;
    }

    /**
     * The ack was committed just now.
     *
     * @param after the instance as it is stored now
     */
    void complete(PendingAck pending, TurnPlan plan, Stored<InstanceDocument> after) {
        held.bury(pending.turn(), ACKED);
        List<Intent> own =
                plan.intents().stream().map(document -> Intent.of(document, "")).toList();
        List<Intent> openBefore = pending.turn().contents().openIntents();
        List<Intent> open = new ArrayList<>(openBefore);
        open.addAll(own);
        open.removeAll(deliver(pending.instanceId(), own, openBefore));
        remember(pending, plan, after, open);
        wake(pending);
    }

    /**
     * The ack is committed, by an earlier try or with parts that others apply: what the partition holds now is not
     * known here.
     */
    void completeUnseen(PendingAck pending) {
        cache.forget(pending.instanceId());
        held.bury(pending.turn(), ACKED);
        wake(pending);
    }

    /** Tries the intents whose targets wait for no earlier one. Returns those that need no further delivery. */
    private List<Intent> deliver(String source, List<Intent> own, List<Intent> openBefore) {
        Set<String> waiting = new HashSet<>();
        openBefore.forEach(intent -> waiting.add(intent.targetInstance()));
        List<Intent> free = own.stream()
                .filter(intent -> !waiting.contains(intent.targetInstance()))
                .toList();
        List<Intent> settled = delivery.deliver(source, free);
        settled.forEach(this::wakeTarget);
        return settled;
    }

    /** A start is handed over as it was written, so that a dispatcher that waits need not read it. */
    private void wakeTarget(Intent intent) {
        QueueDocument message = QueueDocument.fromJson(DocumentJson.parse(intent.payload()));
        if (Messages.isStart(message)) {
            queue.queued(message);
        } else {
            queue.arrived(intent.targetInstance(), message);
        }
    }

    private void remember(PendingAck pending, TurnPlan plan, Stored<InstanceDocument> after, List<Intent> open) {
        TurnAck ack = pending.ack();
        Histories.@Nullable Decoded before = pending.turn().history();
        boolean starts = ack.executionId() > pending.turn().execution();
        boolean current = ack.executionId() == plan.after().currentExecutionId();
        boolean isReadable = plan.keyValuesAfter().fault() == null;
        if ((before == null && !starts) || !current || !isReadable) {
            cache.forget(pending.instanceId());
            return;
        }
        Histories.Decoded grown = starts || before == null ? Histories.Decoded.EMPTY : before;
        var entry = new InstanceCache.Entry(
                after,
                grown.with(ack.historyDelta(), plan.historyCharacters()),
                plan.keyValuesAfter(),
                List.copyOf(open));
        cache.put(pending.instanceId(), entry);
    }

    private void wake(PendingAck pending) {
        queue.queuedActivities(pending.instanceId(), pending.ack().workerItems().size());
        queue.acked(pending.instanceId(), pending.turn().contents().messages());
        for (WorkItem item : pending.ack().orchestratorItems()) {
            if (item instanceof WorkItem.TimerFired timer) {
                queue.timerFor(timer);
            } else if (item.routedInstance().equals(pending.instanceId())) {
                queue.messagesFor(pending.instanceId(), null);
            }
        }
    }
}
