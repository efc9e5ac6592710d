package io.sluice.relay.ledger;

import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares what the store's histories say with what arrived: every event in Kafka once, in order and unchanged; every
 * intent that a source's history says was sent in its target's history once, those of a pair in order; and every turn
 * that a runtime was told is committed in the store.
 */
public final class Audit {
    private final Map<String, List<HistoryEvent>> histories;
    private final List<Finding> findings = new ArrayList<>();
    private int sent;
    private int stored;
    private long longestEventMillis;

    /** What can be wrong. */
    public enum Kind {
        LOST,
        DUPLICATE,
        OUT_OF_ORDER,
        ALTERED
    }

    /** Something wrong, and where. */
    public record Finding(Kind kind, String where) {}

    /**
     * What an audit came to.
     *
     * @param events that the store holds
     * @param intents that were sent
     * @param longestEventMillis from an event to its record
     */
    record Report(int events, int intents, long longestEventMillis, List<Finding> findings) {
        long count(Kind kind) {
            return findings.stream().filter(finding -> finding.kind() == kind).count();
        }
    }

    private Audit(Map<String, List<HistoryEvent>> histories) {
        this.histories = histories;
    }

    static Report of(
            Map<String, List<HistoryEvent>> histories, List<Topic.Message> published, Map<String, Long> confirmed) {
        var audit = new Audit(histories);
        audit.checkConfirmed(confirmed);
        audit.checkPublished(published);
        audit.checkIntents();
        return new Report(audit.stored, audit.sent, audit.longestEventMillis, List.copyOf(audit.findings));
    }

    private void checkConfirmed(Map<String, Long> confirmed) {
        confirmed.forEach((instance, last) -> {
            var history = histories.getOrDefault(instance, List.of());
            long ids = history.stream().filter(event -> event.eventId() <= last).count();
            if (ids != last) {
                found(Kind.LOST, "turns of " + instance + ": " + ids + " events stored of " + last);
            }
        });
    }

    private void checkPublished(List<Topic.Message> published) {
        Map<String, HistoryEvent> expected = new HashMap<>();
        histories.values().forEach(history -> history.forEach(event -> expected.put(id(event), event)));
        stored = expected.size();
        Set<String> seen = new HashSet<>();
        Map<String, Topic.Message> newest = new HashMap<>();
        Map<String, Long> newestEvent = new HashMap<>();
        for (var message : published) {
            var event = expected.get(message.eventId());
            if (event == null || !HistoryJson.encode(event).equals(message.value())) {
                found(Kind.ALTERED, "record " + message.eventId());
            } else if (!seen.add(message.eventId())) {
                found(Kind.DUPLICATE, "event " + message.eventId());
            } else {
                longestEventMillis = Math.max(longestEventMillis, message.millis() - event.timestampMillis());
                var before = newest.put(message.key(), message);
                long last = newestEvent.getOrDefault(message.key(), 0L);
                newestEvent.put(message.key(), event.eventId());
                if (event.eventId() < last || (before != null && before.partition() != message.partition())) {
                    found(Kind.OUT_OF_ORDER, "event " + message.eventId() + " behind event " + last);
                }
            }
        }
        expected.keySet().stream().filter(id -> !seen.contains(id)).forEach(id -> found(Kind.LOST, "event " + id));
    }

    private static String id(HistoryEvent event) {
        return event.instanceId() + ":" + event.executionId() + ":" + event.eventId() + ":" + event.timestampMillis();
    }

    private void checkIntents() {
        Set<Tag> expected = new HashSet<>();
        histories
                .values()
                .forEach(history -> history.forEach(event -> Tag.sentBy(event).ifPresent(expected::add)));
        sent = expected.size();
        Set<Tag> seen = new HashSet<>();
        histories.forEach((instance, history) -> checkReceived(instance, history, expected, seen));
        expected.stream().filter(tag -> !seen.contains(tag)).forEach(tag -> found(Kind.LOST, "intent " + tag));
    }

    private void checkReceived(String instance, List<HistoryEvent> history, Set<Tag> expected, Set<Tag> seen) {
        Map<String, Long> newest = new HashMap<>();
        for (var event : history) {
            var received = Tag.receivedBy(event);
            if (received.isEmpty()) {
                continue;
            }
            var tag = received.get();
            if (!expected.contains(tag) || !tag.target().equals(instance)) {
                found(Kind.ALTERED, "intent " + tag + " in " + instance);
            } else if (!seen.add(tag)) {
                found(Kind.DUPLICATE, "intent " + tag);
            } else if (Tag.isOrdered(event)) {
                long last = newest.getOrDefault(tag.source(), 0L);
                newest.put(tag.source(), Math.max(last, tag.number()));
                if (tag.number() < last) {
                    found(Kind.OUT_OF_ORDER, "intent " + tag + " behind " + last);
                }
            }
        }
    }

    private void found(Kind kind, String where) {
        findings.add(new Finding(kind, where));
    }
}
