package io.sluice.relay.command;

import io.sluice.provider.ProviderException;
import io.sluice.provider.outbox.CommandOutcome;
import io.sluice.provider.outbox.InboxCommand;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Queues and receipts in memory; receipts outlive what was queued, as in the store. */
final class MemoryInbox implements Inbox {
    private final Map<String, CommandOutcome> receipts = new HashMap<>();
    private final List<Queued> queued = new ArrayList<>();
    private final AtomicInteger lostAnswers = new AtomicInteger();
    private final AtomicInteger throttled = new AtomicInteger();

    private volatile Set<String> sick = Set.of();
    private volatile Set<String> hanging = Set.of();
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private final AtomicInteger asked = new AtomicInteger();

    record Queued(String commandId, String instance, long enqueuedAt) {}

    void loseAnswers(int times) {
        lostAnswers.set(times);
    }

    void throttle(int times) {
        throttled.set(times);
    }

    /** Commands of these instances are not taken from now on. */
    void sicken(String... instances) {
        sick = Set.of(instances);
    }

    /** No request for these instances ends from now on, until {@link #goOn}. */
    void hangFor(String... instances) {
        gate = new CountDownLatch(1);
        hanging = Set.of(instances);
    }

    /** No request ends from now on. */
    void hang() {
        gate = new CountDownLatch(1);
    }

    /** Those that hang go on. */
    void goOn() {
        gate.countDown();
    }

    /** How often a command was offered. */
    int asked() {
        return asked.get();
    }

    synchronized List<Queued> queued() {
        return List.copyOf(queued);
    }

    List<String> commandIds() {
        return queued().stream().map(Queued::commandId).toList();
    }

    /** Instances that have the same name up to a hyphen. */
    @Override
    public Object partOf(String instance) {
        return instance.split("-", 2)[0];
    }

    @Override
    public CommandOutcome accept(InboxCommand command, long floorMillis) {
        var commandId = command.key();
        var instance = command.item().routedInstance();
        mustBePossible(instance);
        asked.incrementAndGet();
        if (hanging.isEmpty() || hanging.contains(instance)) {
            passGate();
        }
        if (sick.contains(instance)) {
            return new CommandOutcome.Transient("sick", null);
        }
        if (throttled.getAndDecrement() > 0) {
            return new CommandOutcome.Transient("throttled", null);
        }
        var outcome = create(commandId, instance, Math.max(System.currentTimeMillis(), floorMillis + 1));
        return lostAnswers.getAndDecrement() > 0 ? new CommandOutcome.Transient("answer lost", null) : outcome;
    }

    private void passGate() {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized CommandOutcome create(String commandId, String instance, long enqueuedAt) {
        var before = receipts.get(instance + "/" + commandId);
        if (before instanceof CommandOutcome.Accepted accepted) {
            return new CommandOutcome.Accepted(accepted.enqueuedAt(), false);
        }
        if (before != null) {
            return before;
        }
        queued.add(new Queued(commandId, instance, enqueuedAt));
        var accepted = new CommandOutcome.Accepted(enqueuedAt, true);
        receipts.put(instance + "/" + commandId, accepted);
        return accepted;
    }

    @Override
    public synchronized CommandOutcome refuse(InboxCommand command, String reason) {
        var instanceId = command.item().routedInstance();
        mustBePossible(instanceId);
        if (sick.contains(instanceId)) {
            return new CommandOutcome.Transient("sick", null);
        }
        var before = receipts.putIfAbsent(instanceId + "/" + command.key(), new CommandOutcome.Refused(reason));
        return before == null ? new CommandOutcome.Refused(reason) : before;
    }

    private static void mustBePossible(String instance) {
        if (instance.contains("#")) {
            throw ProviderException.permanent("acceptCommand", "instance id holds a character the store refuses");
        }
    }
}
