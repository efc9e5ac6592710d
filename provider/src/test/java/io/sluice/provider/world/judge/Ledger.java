package io.sluice.provider.world.judge;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.store.item.LoggedChange;
import io.sluice.provider.TurnAck;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What must always hold, checked at every transaction of the store, and what must hold in the end. */
public final class Ledger {
    private static final Set<String> QUEUES = Set.of("orch_queue", "worker_queue");
    private static final Set<String> ENDED = Set.of("Completed", "Failed");

    private final List<String> violations = new ArrayList<>();
    private final Contents contents = new Contents();
    private final Wishes wishes = new Wishes();
    private final Lives lives = new Lives(contents, wishes, this::violation);
    private final LockRules locks;
    private final Overtakings overtakings;
    private final Waits waits;
    private final Attempts attempts = new Attempts(contents, this::violation);
    private final Set<String> queued = new HashSet<>();
    private final Set<String> receipts = new HashSet<>();
    private final Map<String, Acked> acked = new HashMap<>();

    private record Acked(String instance, TurnAck ack) {}

    public Ledger(InstantSource time) {
        this.locks = new LockRules(contents, time, this::violation);
        this.overtakings = new Overtakings(contents, this::violation);
        this.waits = new Waits(contents, time, this::violation);
    }

    public void violation(String what) {
        violations.add(what);
    }

    public List<String> violations() {
        return violations;
    }

    public Contents contents() {
        return contents;
    }

    public Wishes wishes() {
        return wishes;
    }

    public Lives lives() {
        return lives;
    }

    public LockRules locks() {
        return locks;
    }

    public Attempts attempts() {
        return attempts;
    }

    public Waits waits() {
        return waits;
    }

    /** The store changed; every transaction was made by this operation, null for none. */
    public void changed(List<LoggedChange> changes, @Nullable Operation operation) {
        int from = 0;
        while (from < changes.size()) {
            int to = from;
            while (to < changes.size()
                    && changes.get(to).lsn() == changes.get(from).lsn()) {
                to++;
            }
            transaction(contents.apply(changes.subList(from, to)), operation);
            from = to;
        }
    }

    private void transaction(List<Change> changes, @Nullable Operation operation) {
        var instances = new LinkedHashSet<String>();
        for (var change : changes) {
            instances.add(change.instance());
            switch (change.type()) {
                case "instance" -> {
                    locks.check(change, operation);
                    lives.head(change);
                }
                case "history" -> lives.event(change);
                case "orch_queue", "worker_queue" -> queue(change, operation);
                case "receipt" -> receipt(change);
                case "outbox_intent" -> intent(change);
                default -> {}
            }
        }
        if (operation != null && operation.kind() == Operation.Kind.ACK_TURN) {
            turn(changes, operation);
        } else if (operation != null && operation.kind() == Operation.Kind.FETCH_TURN) {
            overtakings.check(changes, operation.beganMillis());
        }
        for (var instance : instances) {
            lives.check(instance);
            staged(instance);
        }
    }

    private void queue(Change change, @Nullable Operation operation) {
        locks.check(change, operation);
        attempts.check(change);
        if (change.isCreated() && !queued.add(change.id())) {
            violation("a second copy of " + change.id() + " in " + change.instance() + ": "
                    + change.any().path("workItem"));
        }
        if (change.type().equals("worker_queue") && !change.isRemoved()) {
            session(change, operation);
        }
    }

    /** An activity of a session goes to the session's owner. */
    private void session(Change change, @Nullable Operation operation) {
        var session = change.any().path("sessionId");
        var token = change.tokenAfter();
        if (session.isTextual() && token != null && !token.equals(change.tokenBefore()) && operation != null) {
            boolean owned = contents.of(change.instance(), "session")
                    .anyMatch(each -> each.path("sessionId").equals(session)
                            && each.path("ownerId").asText().equals(operation.process()));
            if (!owned) {
                violation("an activity of a session was taken by " + operation.process() + ", who does not own it");
            }
        }
    }

    private void receipt(Change change) {
        if (change.isCreated() && !receipts.add(change.instance() + " " + change.id())) {
            violation("a receipt came twice: " + change.id());
        } else if (!change.isCreated()) {
            violation("a receipt was changed or removed: " + change.id());
        }
    }

    /** What is removed was settled, or its source deleted. */
    private void intent(Change change) {
        if (change.isRemoved() && !wishes.mayBeDeleted(change.instance())) {
            var receipt = change.id().replaceFirst("intent:", "receipt:");
            if (receipts.stream().noneMatch(each -> each.endsWith(" " + receipt))) {
                violation("an intent was removed that was not delivered: " + change.id());
            }
        }
    }

    /** All of a turn that fits a batch, or its commit. */
    private void turn(List<Change> changes, Operation operation) {
        var head = changes.stream()
                .filter(change -> change.type().equals("instance") && !change.isRemoved())
                .findFirst();
        var ack = operation.ack();
        boolean consumes = changes.stream()
                .anyMatch(change -> (change.type().equals("orch_queue") && change.isRemoved())
                        || (change.type().equals("history") && change.isCreated()));
        var staged = changes.stream()
                .filter(change -> change.type().equals("staged"))
                .toList();
        boolean commits = staged.isEmpty()
                ? consumes
                : staged.stream().anyMatch(change -> change.isCreated() && Contents.isCommit(change.any()));
        if (head.isEmpty() || ack == null || !commits) {
            return;
        }
        locks.committed(head.get(), operation);
        acked.put(ack.lockToken(), new Acked(head.get().instance(), ack));
        if (staged.isEmpty()) {
            count(changes, "history", ack.historyDelta().size());
            count(changes, "worker_queue", ack.workerItems().size());
        }
    }

    private void count(List<Change> changes, String type, int expected) {
        long created = changes.stream()
                .filter(change -> change.type().equals(type) && change.isCreated())
                .count();
        if (created != expected) {
            violation("a torn turn: " + created + " of " + expected + " " + type);
        }
    }

    private void staged(String instance) {
        for (var commit :
                contents.of(instance, "staged").filter(Contents::isCommit).toList()) {
            locks.checkCommitted(instance);
            long left = contents.of(instance, "staged")
                    .filter(each -> each.path("kind").asText().equals("part")
                            && each.path("try").equals(commit.path("try"))
                            && each.path("number").asInt()
                                    >= commit.path("next").asInt())
                    .count();
            int expected = commit.path("parts").asInt() - commit.path("next").asInt() + 1;
            if (left != expected) {
                violation("parts of a committed turn of " + instance + " are missing: " + left + " of " + expected);
            }
        }
    }

    /** A process was told that its ack went through. */
    public void told(String instance, TurnAck ack) {
        acked.put(ack.lockToken(), new Acked(instance, ack));
        lives.checkAcked(instance, ack);
    }

    /** Whether all that was begun is at its end. */
    public boolean isOver() {
        return leftOver().findAny().isEmpty();
    }

    /** What is still to be done. */
    private Stream<String> leftOver() {
        return Stream.of(
                        contents.all("worker_queue").map(each -> "activity " + named(each)),
                        contents.all("outbox_intent").map(each -> "intent " + named(each)),
                        // Parts of a turn that lost its lock are for the next holder to remove, and there may be none.
                        contents.all("staged")
                                .filter(Contents::isCommit)
                                .map(each -> "turn to be finished of " + each.path("instanceId")),
                        contents.all("deletion")
                                .filter(each -> !each.path("state").asText().equals("aborted"))
                                .map(each -> "deletion " + each.path("id")),
                        contents.all("orch_queue")
                                .filter(each ->
                                        isAwaited(each.path("instanceId").asText(), each))
                                .map(each -> "message " + named(each)),
                        contents.all("instance")
                                .filter(each ->
                                        !ENDED.contains(each.path("status").asText()))
                                .map(each -> "instance " + each.path("instanceId") + " is " + each.path("status")
                                        + " in execution " + each.path("currentExecutionId")),
                        contents.all("instance")
                                .filter(each -> !each.path("lockToken").isNull())
                                .map(each -> "instance " + each.path("instanceId") + " is locked by "
                                        + each.path("lockToken")))
                .flatMap(each -> each);
    }

    private static String named(JsonNode document) {
        return document.path("instanceId") + " " + document.path("workItem");
    }

    /** Messages to those who are gone, or never were, lie there for ever; a start does not. */
    private boolean isAwaited(String instance, JsonNode message) {
        return contents.head(instance) != null
                || message.path("workItem").asText().contains("\"StartOrchestration\"");
    }

    /** Checks what must hold when all is over. */
    public void end() {
        leftOver().forEach(each -> violation("it does not end: " + each));
        acked.values().forEach(each -> lives.checkAcked(each.instance(), each.ack()));
        var heads = contents.all("instance")
                .map(each -> each.path("instanceId").asText())
                .collect(Collectors.toSet());
        for (var root : wishes.started()) {
            if (!wishes.mayBeDeleted(root) && !heads.contains(root)) {
                violation("an instance that was started never was: " + root);
            }
        }
    }

    /** Whether a queue holds anything. */
    public boolean hasQueued(String type) {
        if (!QUEUES.contains(type)) {
            throw new IllegalArgumentException(type);
        }
        return contents.all(type).findAny().isPresent();
    }

    /** Whether there is an instance, or a message to one. */
    public boolean isKnown(String instance) {
        return contents.head(instance) != null
                || contents.of(instance, "orch_queue").findAny().isPresent();
    }

    public boolean hasSessions() {
        return contents.all("session").findAny().isPresent();
    }

    /** Whether somebody left behind what a sweep finishes. */
    public boolean needsSweep() {
        return contents.all("staged").findAny().isPresent()
                || contents.all("deletion").findAny().isPresent();
    }

    /** Whether an event lies in an instance's queue. */
    public boolean isRaised(String instance, String event) {
        return contents.of(instance, "orch_queue")
                .anyMatch(each -> each.path("workItem").asText().contains("\"" + event + "\""));
    }

    /** Instances with intents to deliver. */
    public List<String> sources() {
        return contents.all("outbox_intent")
                .filter(each -> !each.path("status").asText().equals("failed"))
                .map(each -> each.path("instanceId").asText())
                .distinct()
                .toList();
    }
}
