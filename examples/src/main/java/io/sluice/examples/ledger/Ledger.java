package io.sluice.examples.ledger;

import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import io.sluice.testkit.judge.HistoryJudge;
import io.sluice.testkit.judge.JudgedEvent;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares histories as they are stored with the records of the history topic: every event exactly once, in order per
 * instance, unchanged, and every sub-orchestration started exactly once by the parent that scheduled it.
 */
public final class Ledger {
    private final Map<String, List<HistoryEvent>> histories;
    private final Set<String> children = new LinkedHashSet<>();
    private final List<String> wrongStarts = new ArrayList<>();

    private Ledger(Map<String, List<HistoryEvent>> histories) {
        this.histories = histories;
    }

    /**
     * Audits a run.
     *
     * @param histories the history of every instance of the run, children included, by instance id
     * @param records every record of the topic, in the order of each partition
     */
    public static LedgerReport audit(Map<String, List<HistoryEvent>> histories, List<PublishedEvent> records) {
        HistoryJudge judge = new HistoryJudge();
        records.forEach(record -> judge.take(
                record.partition(), record.key(), record.cloudEventId(), judged(record.event(), record.json())));
        List<HistoryEvent> stored =
                histories.values().stream().flatMap(List::stream).toList();
        stored.forEach(event -> judge.expect(judged(event, HistoryJson.encode(event)), "stored"));
        judge.expectNothingElse();
        Ledger ledger = new Ledger(histories);
        stored.forEach(ledger::checkStart);
        return new LedgerReport(
                histories.size(),
                stored.size(),
                records.size(),
                ledger.children.size(),
                judge.findings(),
                ledger.wrongStarts);
    }

    private static JudgedEvent judged(HistoryEvent event, String json) {
        return new JudgedEvent(event.instanceId(), event.executionId(), event.eventId(), event.timestampMillis(), json);
    }

    private void checkStart(HistoryEvent by) {
        if (by.kind() instanceof EventKind.SubOrchestrationScheduled scheduled) {
            String child = scheduled.instance();
            if (!children.add(child)) {
                wrongStarts.add(child + " is scheduled twice");
            }
            List<EventKind.OrchestrationStarted> starts = histories.getOrDefault(child, List.of()).stream()
                    .map(HistoryEvent::kind)
                    .filter(EventKind.OrchestrationStarted.class::isInstance)
                    .map(EventKind.OrchestrationStarted.class::cast)
                    .toList();
            if (starts.size() != 1
                    || !by.instanceId().equals(starts.get(0).parentInstance())
                    || !Long.valueOf(by.eventId()).equals(starts.get(0).parentId())) {
                wrongStarts.add(child + " was started " + starts.size() + " times, scheduled by " + by.instanceId());
            }
        }
    }
}
