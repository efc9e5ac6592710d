package io.sluice.provider.world.judge;

import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import io.sluice.provider.world.program.Replay;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;

/** All events that instances ever had, pruned ones too, and what follows from them for their heads and key values. */
public final class Lives {
    private final Contents contents;
    private final Wishes wishes;
    private final Consumer<String> violation;
    private final Map<String, TreeMap<Long, TreeMap<Long, HistoryEvent>>> events = new HashMap<>();

    public Lives(Contents contents, Wishes wishes, Consumer<String> violation) {
        this.contents = contents;
        this.wishes = wishes;
        this.violation = violation;
    }

    /** An event was written or removed. */
    public void event(Change change) {
        var document = change.any();
        long execution = document.path("executionId").asLong();
        long id = document.path("eventId").asLong();
        var ofExecution = events.computeIfAbsent(change.instance(), unused -> new TreeMap<>())
                .computeIfAbsent(execution, unused -> new TreeMap<>());
        if (change.isRemoved()) {
            boolean pruned = wishes.mayBePruned(change.instance()) && execution < currentExecution(change.instance());
            if (!wishes.mayBeDeleted(change.instance()) && !pruned) {
                violation.accept("history was removed: " + change.id() + " of " + change.instance());
            }
        } else if (!change.isCreated()) {
            violation.accept("history was rewritten: " + change.id() + " of " + change.instance());
        } else if (ofExecution.put(
                        id, HistoryJson.decode(document.path("eventData").asText()))
                != null) {
            violation.accept("an event came twice: " + change.id() + " of " + change.instance());
        }
    }

    private long currentExecution(String instance) {
        var head = contents.head(instance);
        return head == null ? 0 : head.path("currentExecutionId").asLong();
    }

    /** The head was written or removed. */
    public void head(Change change) {
        var instance = change.instance();
        var before = change.before();
        var after = change.after();
        if (after == null) {
            ended(instance);
        } else if (before == null) {
            if (instance.equals(Wishes.rootOf(instance))) {
                wishes.begun(instance);
            } else if (wishes.isDeleted(instance) && contents.head(Wishes.rootOf(instance)) == null) {
                violation.accept("an instance came back after its tree was deleted: " + instance);
            }
        } else if (after.path("currentExecutionId").asLong()
                < before.path("currentExecutionId").asLong()) {
            violation.accept("the execution of " + instance + " went back: " + after);
        }
    }

    private void ended(String instance) {
        // Without events it is what a fetch left behind, and whoever gives the turn back may remove it.
        if (!wishes.mayBeDeleted(instance)
                && !events.getOrDefault(instance, new TreeMap<>()).isEmpty()) {
            violation.accept("an instance nobody deleted is gone: " + instance);
        }
        events.remove(instance);
        for (var type : List.of("history", "kv", "kv_delta", "worker_queue", "outbox_intent", "staged")) {
            if (contents.of(instance, type).findAny().isPresent()) {
                violation.accept("of the deleted instance " + instance + " there remains " + type);
            }
        }
    }

    /** Checks what must hold between two transactions. */
    public void check(String instance) {
        var executions = events.getOrDefault(instance, new TreeMap<>());
        executions.forEach((execution, ofExecution) -> {
            if (!ofExecution.isEmpty() && ofExecution.lastKey() != ofExecution.size()) {
                violation.accept("events are missing in execution " + execution + " of " + instance + ": "
                        + ofExecution.keySet());
            }
        });
        if (contents.head(instance) != null && !contents.isStaged(instance) && !wishes.mayBeDeleted(instance)) {
            checkValues(instance, all(executions));
            checkHead(instance, executions);
        }
    }

    private static List<HistoryEvent> all(Map<Long, ? extends Map<Long, HistoryEvent>> executions) {
        var all = new ArrayList<HistoryEvent>();
        executions.values().forEach(each -> all.addAll(each.values()));
        return all;
    }

    private void checkValues(String instance, List<HistoryEvent> all) {
        Map<String, String> expected = new TreeMap<>();
        for (var event : all) {
            if (event.kind() instanceof EventKind.KeyValueSet set) {
                expected.put(set.key(), set.value());
            } else if (event.kind() instanceof EventKind.KeyValueCleared cleared) {
                expected.remove(cleared.key());
            } else if (event.kind() instanceof EventKind.KeyValuesCleared) {
                expected.clear();
            }
        }
        Map<String, String> stored = new TreeMap<>();
        contents.of(instance, "kv")
                .forEach(each ->
                        stored.put(each.path("key").asText(), each.path("value").asText()));
        contents.of(instance, "kv_delta").forEach(each -> {
            var key = each.path("key").asText();
            if (each.path("value").isNull()) {
                stored.remove(key);
            } else {
                stored.put(key, each.path("value").asText());
            }
        });
        if (!stored.equals(expected)) {
            violation.accept("the key values of " + instance + " are " + stored + ", its events say " + expected);
        }
    }

    private void checkHead(String instance, Map<Long, ? extends NavigableMap<Long, HistoryEvent>> executions) {
        var head = Objects.requireNonNull(contents.head(instance));
        var current = executions.get(head.path("currentExecutionId").asLong());
        if (current == null || current.isEmpty()) {
            return;
        }
        var last = current.lastEntry().getValue().kind();
        var expected = last instanceof EventKind.OrchestrationCompleted
                ? "Completed"
                : last instanceof EventKind.OrchestrationFailed
                        ? "Failed"
                        : last instanceof EventKind.OrchestrationContinuedAsNew ? "ContinuedAsNew" : "Running";
        if (!head.path("status").asText().equals(expected)) {
            violation.accept(
                    "the status of " + instance + " is " + head.path("status") + ", its events say " + expected);
        }
    }

    /** Whether everything of a turn that was acked is there; its instance may have been deleted since. */
    public void checkAcked(String instance, TurnAck ack) {
        if (wishes.mayBeDeleted(instance) || contents.isStaged(instance)) {
            return;
        }
        var stored = events.getOrDefault(instance, new TreeMap<>()).getOrDefault(ack.executionId(), new TreeMap<>());
        for (var event : ack.historyDelta()) {
            if (!event.equals(stored.get(event.eventId()))) {
                violation.accept("an acked event is lost: " + event);
            }
        }
    }

    /** The external events that instances wait for. */
    public Map<String, String> awaited() {
        Map<String, String> awaited = new TreeMap<>();
        events.forEach((instance, executions) -> {
            var last = executions.lastEntry();
            var events = last == null
                    ? List.<HistoryEvent>of()
                    : List.copyOf(last.getValue().values());
            if (!events.isEmpty() && !Replay.isEnd(events.get(events.size() - 1).kind())) {
                events.stream()
                        .map(HistoryEvent::kind)
                        .filter(EventKind.ExternalSubscribed.class::isInstance)
                        .map(kind -> ((EventKind.ExternalSubscribed) kind).name())
                        .filter(name -> events.stream()
                                .noneMatch(event -> event.kind() instanceof EventKind.ExternalEvent raised
                                        && raised.name().equals(name)))
                        .findFirst()
                        .ifPresent(name -> awaited.put(instance, name));
            }
        });
        return awaited;
    }
}
