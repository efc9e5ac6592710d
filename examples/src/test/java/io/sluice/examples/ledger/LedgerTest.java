package io.sluice.examples.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.examples.ledger.Finding.Kind;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LedgerTest {
    private static final List<HistoryEvent> PARENT = List.of(
            event("p", 1, started(null, null)),
            event("p", 2, new EventKind.SubOrchestrationScheduled("child", "p::sub::2", "")),
            event("p", 3, new EventKind.SubOrchestrationCompleted("done")).withSourceEventId(2),
            event("p", 4, new EventKind.OrchestrationCompleted("done")));
    private static final List<HistoryEvent> CHILD = List.of(
            event("p::sub::2", 1, started("p", 2L)), event("p::sub::2", 2, new EventKind.OrchestrationCompleted("x")));
    private static final Map<String, List<HistoryEvent>> STORED = Map.of("p", PARENT, "p::sub::2", CHILD);

    @Test
    void a_faithful_topic_is_exact() {
        LedgerReport report = Ledger.audit(STORED, records());

        assertThat(report.findings()).isEmpty();
        assertThat(report.isExact()).isTrue();
        assertThat(report.storedEvents()).isEqualTo(6);
        assertThat(report.subOrchestrations()).isEqualTo(1);
    }

    @Test
    void a_missing_event_is_found() {
        List<PublishedEvent> records = records();
        records.remove(1);

        assertFinding(Ledger.audit(STORED, records), Kind.MISSING, "p:1:2");
    }

    @Test
    void a_second_copy_is_found() {
        List<PublishedEvent> records = records();
        records.add(record(99, PARENT.get(0)));

        assertFinding(Ledger.audit(STORED, records), Kind.DUPLICATE, "p:1:1 at partition 0 offset 99");
    }

    @Test
    void swapped_events_are_found() {
        List<PublishedEvent> records = records();
        Collections.swap(records, 1, 2);

        assertFinding(Ledger.audit(STORED, records), Kind.OUT_OF_ORDER, "p:1:2");
    }

    @Test
    void an_instance_spread_over_partitions_is_found() {
        List<PublishedEvent> records = records();
        PublishedEvent last = records.get(3);
        records.set(3, new PublishedEvent(1, 0, last.key(), last.cloudEventId(), last.json(), last.event()));

        assertFinding(Ledger.audit(STORED, records), Kind.OUT_OF_ORDER, "p:1:4 at partition 1");
    }

    @Test
    void an_event_nobody_stored_is_found() {
        List<PublishedEvent> records = records();
        records.add(record(99, event("ghost", 1, started(null, null))));

        assertFinding(Ledger.audit(STORED, records), Kind.UNEXPECTED, "ghost:1:1");
    }

    @Test
    void a_changed_content_key_or_id_is_found() {
        List<PublishedEvent> records = records();
        PublishedEvent first = records.get(0);
        records.set(0, new PublishedEvent(0, 0, "q", "id", first.json() + " ", first.event()));

        assertThat(Ledger.audit(STORED, records).count(Kind.ALTERED)).isEqualTo(3);
    }

    @Test
    void a_child_that_was_not_started_once_by_its_parent_is_found() {
        List<HistoryEvent> strayChild = List.of(event("p::sub::2", 1, started("other", 2L)), CHILD.get(1));

        LedgerReport report = Ledger.audit(Map.of("p", PARENT, "p::sub::2", strayChild), List.of());

        assertThat(report.count(Kind.WRONG_START)).isEqualTo(1);
        assertThat(Ledger.audit(Map.of("p", PARENT), List.of()).count(Kind.WRONG_START))
                .as("a child that never started")
                .isEqualTo(1);
    }

    private static void assertFinding(LedgerReport report, Kind kind, String where) {
        assertThat(report.isExact()).isFalse();
        assertThat(report.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(kind);
            assertThat(finding.where()).startsWith(where);
        });
    }

    private static List<PublishedEvent> records() {
        List<PublishedEvent> records = new ArrayList<>();
        PARENT.forEach(event -> records.add(record(records.size(), event)));
        CHILD.forEach(event -> records.add(record(records.size(), event)));
        return records;
    }

    private static PublishedEvent record(long offset, HistoryEvent event) {
        String id = event.instanceId() + ":1:" + event.eventId() + ":" + event.timestampMillis();
        return new PublishedEvent(0, offset, event.instanceId(), id, HistoryJson.encode(event), event);
    }

    private static EventKind started(@Nullable String parent, @Nullable Long parentId) {
        return new EventKind.OrchestrationStarted(
                "main", "1.0.0", "", parent, parentId, parent == null ? null : 1L, null, null);
    }

    private static HistoryEvent event(String instance, long id, EventKind kind) {
        return HistoryEvent.of(id, instance, 1, 1_740_000_000_000L + id, "0.1.32", kind);
    }
}
