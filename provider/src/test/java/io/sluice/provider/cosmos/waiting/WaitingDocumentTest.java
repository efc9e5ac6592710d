package io.sluice.provider.cosmos.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.cosmos.waiting.WaitingDocument.Mark;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.work.WaitingWork;
import io.sluice.provider.work.WaitingWork.Kind;
import io.sluice.provider.work.WaitingWork.WaitingType;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WaitingDocumentTest {
    private static final WaitingType ORDER = type(Kind.TURN, "Order", "1.0");
    private static final WaitingType CHARGE = type(Kind.ACTIVITY, "charge", null);
    private static final WaitingWork WORK = new WaitingWork(Instant.ofEpochMilli(1_000), List.of(ORDER, CHARGE), true);

    private static WaitingType type(Kind kind, String name, @Nullable String version) {
        return new WaitingType(kind, name, version, 3, Instant.ofEpochMilli(500), false);
    }

    private static WaitingDocument document() {
        return new WaitingDocument(WORK, new TreeMap<>());
    }

    private static Mark mark(long untilMillis, WaitingType... types) {
        return new Mark(
                untilMillis,
                Set.copyOf(List.of(types).stream().map(WaitingDocument::key).toList()));
    }

    private static List<Boolean> taken(WaitingDocument document, long nowMillis) {
        return document.judged(nowMillis).types().stream()
                .map(WaitingType::isTaken)
                .toList();
    }

    @Test
    void reads_what_it_writes() {
        WaitingDocument written = document().with("one", mark(2_000, ORDER)).with("two", mark(3_000, CHARGE));

        assertThat(WaitingDocument.of(written.toJson())).isEqualTo(written);
    }

    @Test
    void a_type_is_taken_while_the_mark_of_any_process_says_so() {
        WaitingDocument marked = document().with("one", mark(2_000, ORDER)).with("two", mark(3_000, CHARGE));

        assertThat(taken(marked, 1_500)).containsExactly(true, true);
        assertThat(taken(marked, 2_000)).containsExactly(false, true);
        assertThat(taken(document(), 1_500)).containsExactly(false, false);
    }

    @Test
    void a_process_that_takes_nothing_has_no_mark() {
        assertThat(document().with("one", mark(2_000, ORDER)).with("one", mark(4_000)))
                .isEqualTo(document());
    }

    @Test
    void a_new_report_keeps_the_marks_that_hold() {
        WaitingDocument marked = document().with("one", mark(2_000, ORDER)).with("two", mark(3_000, CHARGE));

        WaitingDocument next = marked.with(WaitingWork.none(Instant.ofEpochMilli(2_500)), 2_500);

        assertThat(next.marks()).containsOnlyKeys("two");
        assertThat(next.work().types()).isEmpty();
    }

    @Test
    void other_types_have_other_keys() {
        assertThat(List.of(
                        WaitingDocument.key(ORDER),
                        WaitingDocument.key(CHARGE),
                        WaitingDocument.key(type(Kind.TURN, "Order", null)),
                        WaitingDocument.key(type(Kind.TURN, "Order", "")),
                        WaitingDocument.key(type(Kind.ACTIVITY, "Order", "1.0"))))
                .doesNotHaveDuplicates();
    }

    @Test
    void what_somebody_else_has_made_of_the_document_is_an_old_report() {
        var other = DocumentJson.object().put("at", "yesterday").put("types", 7).put("takes_one", "all");
        other.putArray("more").add(1);

        WaitingDocument read = WaitingDocument.of(other);

        assertThat(read.work()).isEqualTo(WaitingWork.none(Instant.EPOCH));
        assertThat(taken(read, 1_000)).isEmpty();
    }

    @Test
    void a_type_of_an_unknown_kind_is_passed_over() {
        var written = document().toJson();
        written.withArray("types").addObject().put("kind", "TIMER").put("name", "x");

        assertThat(WaitingDocument.of(written).work().types()).hasSize(2);
    }
}
