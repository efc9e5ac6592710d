package io.sluice.examples.ledger;

import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares histories as they are stored with the records of the history topic: every event exactly once, in order per
 * instance, unchanged, and every sub-orchestration started exactly once by the parent that scheduled it.
 */
public final class Ledger {
    private final Map<EventId, HistoryEvent> stored = new HashMap<>();
    private final Map<EventId, PublishedEvent> published = new HashMap<>();
    private final List<Finding> findings = new ArrayList<>();

    private Ledger() {}

    /**
     * Audits a run.
     *
     * @param histories the history of every instance of the run, children included, by instance id
     * @param records every record of the topic, in the order of each partition
     */
    public static LedgerReport audit(Map<String, List<HistoryEvent>> histories, List<PublishedEvent> records) {
        Ledger ledger = new Ledger();
        histories.values().forEach(history -> history.forEach(event -> ledger.stored.put(EventId.of(event), event)));
        ledger.readRecords(records);
        ledger.stored.keySet().stream()
                .filter(id -> !ledger.published.containsKey(id))
                .sorted()
                .forEach(id -> ledger.found(Finding.Kind.MISSING, id.toString()));
        int children = ledger.checkStarts(histories);
        return new LedgerReport(histories.size(), ledger.stored.size(), records.size(), children, ledger.findings);
    }

    private void readRecords(List<PublishedEvent> records) {
        Map<String, PublishedEvent> lastOfInstance = new HashMap<>();
        for (PublishedEvent next : records) {
            EventId id = EventId.of(next.event());
            PublishedEvent earlier = published.putIfAbsent(id, next);
            if (earlier != null) {
                found(Finding.Kind.DUPLICATE, id + " at " + next.place() + ", first at " + earlier.place());
                continue;
            }
            checkContent(id, next);
            PublishedEvent last = lastOfInstance.get(id.instance());
            if (last != null && last.partition() != next.partition()) {
                found(Finding.Kind.OUT_OF_ORDER, id + " at " + next.place() + ", the others at " + last.place());
            } else if (last != null && EventId.of(last.event()).compareTo(id) > 0) {
                found(Finding.Kind.OUT_OF_ORDER, id + " at " + next.place() + " after " + EventId.of(last.event()));
            } else {
                lastOfInstance.put(id.instance(), next);
            }
        }
    }

    private void checkContent(EventId id, PublishedEvent record) {
        HistoryEvent event = stored.get(id);
        if (event == null) {
            found(Finding.Kind.UNEXPECTED, id + " at " + record.place());
            return;
        }
        if (!record.key().equals(id.instance())) {
            found(Finding.Kind.ALTERED, id + " at " + record.place() + " has the key " + record.key());
        }
        if (!record.json().equals(HistoryJson.encode(event))) {
            found(Finding.Kind.ALTERED, id + " at " + record.place() + " differs from the stored event");
        }
        String cloudEventId = id + ":" + event.timestampMillis();
        if (!cloudEventId.equals(record.cloudEventId())) {
            found(
                    Finding.Kind.ALTERED,
                    id + " at " + record.place() + " has the id " + record.cloudEventId() + ", not " + cloudEventId);
        }
    }

    private int checkStarts(Map<String, List<HistoryEvent>> histories) {
        Set<String> children = new LinkedHashSet<>();
        for (List<HistoryEvent> history : histories.values()) {
            for (HistoryEvent event : history) {
                if (event.kind() instanceof EventKind.SubOrchestrationScheduled scheduled) {
                    if (!children.add(scheduled.instance())) {
                        found(Finding.Kind.WRONG_START, scheduled.instance() + " is scheduled twice");
                    }
                    checkStart(event, scheduled, histories.getOrDefault(scheduled.instance(), List.of()));
                }
            }
        }
        return children.size();
    }

    private void checkStart(
            HistoryEvent by, EventKind.SubOrchestrationScheduled scheduled, List<HistoryEvent> childHistory) {
        List<EventKind.OrchestrationStarted> starts = childHistory.stream()
                .map(HistoryEvent::kind)
                .filter(EventKind.OrchestrationStarted.class::isInstance)
                .map(EventKind.OrchestrationStarted.class::cast)
                .toList();
        boolean once = starts.size() == 1
                && by.instanceId().equals(starts.get(0).parentInstance())
                && Long.valueOf(by.eventId()).equals(starts.get(0).parentId());
        if (!once) {
            found(
                    Finding.Kind.WRONG_START,
                    scheduled.instance() + " was started " + starts.size() + " times, scheduled by " + EventId.of(by));
        }
    }

    private void found(Finding.Kind kind, String where) {
        findings.add(new Finding(kind, where));
    }
}
