package io.sluice.examples.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import io.sluice.testkit.judge.Finding.Kind;
import java.util.ArrayList;
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
    void what_the_topic_lacks_and_what_it_has_beside_the_store_is_found() {
        List<PublishedEvent> records = records();
        records.remove(3);
        records.add(record(event("ghost", 1, started(null, null))));

        LedgerReport report = Ledger.audit(STORED, records);

        assertThat(report.isExact()).isFalse();
        assertThat(report.count(Kind.LOST)).isEqualTo(1);
        assertThat(report.count(Kind.UNEXPECTED)).isEqualTo(1);
    }

    @Test
    void a_changed_content_is_found() {
        List<PublishedEvent> records = records();
        PublishedEvent first = records.get(0);
        records.set(0, new PublishedEvent(0, first.key(), first.cloudEventId(), first.json() + " ", first.event()));

        assertThat(Ledger.audit(STORED, records).count(Kind.ALTERED)).isEqualTo(1);
    }

    @Test
    void a_child_that_was_not_started_once_by_its_parent_is_found() {
        List<HistoryEvent> strayChild = List.of(event("p::sub::2", 1, started("other", 2L)), CHILD.get(1));

        LedgerReport report = Ledger.audit(Map.of("p", PARENT, "p::sub::2", strayChild), List.of());

        assertThat(report.wrongStarts()).hasSize(1);
        assertThat(Ledger.audit(Map.of("p", PARENT), List.of()).wrongStarts())
                .as("a child that never started")
                .hasSize(1);
    }

    private static List<PublishedEvent> records() {
        List<PublishedEvent> records = new ArrayList<>();
        PARENT.forEach(event -> records.add(record(event)));
        CHILD.forEach(event -> records.add(record(event)));
        return records;
    }

    private static PublishedEvent record(HistoryEvent event) {
        String id = event.instanceId() + ":1:" + event.eventId() + ":" + event.timestampMillis();
        return new PublishedEvent(0, event.instanceId(), id, HistoryJson.encode(event), event);
    }

    private static EventKind started(@Nullable String parent, @Nullable Long parentId) {
        return new EventKind.OrchestrationStarted(
                "main", "1.0.0", "", parent, parentId, parent == null ? null : 1L, null, null);
    }

    private static HistoryEvent event(String instance, long id, EventKind kind) {
        return HistoryEvent.of(id, instance, 1, 1_740_000_000_000L + id, "0.1.32", kind);
    }
}
