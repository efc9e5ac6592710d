package io.sluice.provider.cosmos.turn.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.cosmos.staged.WholeReads.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HistoryReadingTest {
    private final HistoryReading all = new HistoryReading(1, List.of());

    @Test
    void one_page_is_the_answer_as_it_is() {
        List<ObjectNode> rows = events(5, 3, 4);

        assertThat(all.take(rows, true)).isEqualTo(Progress.DONE);

        assertThat(all.answer()).isEqualTo(rows);
    }

    @Test
    void what_an_event_may_be_missing_before_is_not_kept() {
        assertThat(all.take(events(1, 2, 3, 5), false)).isEqualTo(Progress.FURTHER);

        assertThat(all.take(events(1, 3, 4, 5, 6), true)).isEqualTo(Progress.DONE);

        assertThat(ids(all.answer())).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    }

    @Test
    void a_history_with_gaps_is_kept_up_to_what_the_reading_before_has_shown() {
        assertThat(all.take(events(10, 20, 30), false)).isEqualTo(Progress.NONE);
        assertThat(all.next().toString()).as("all again").doesNotContain("@last");

        assertThat(all.take(events(10, 15, 20, 30, 40), false)).isEqualTo(Progress.FURTHER);
        assertThat(all.take(events(10, 30, 35, 40), true)).isEqualTo(Progress.DONE);

        assertThat(ids(all.answer())).containsExactly(10L, 15L, 20L, 30L, 35L, 40L);
    }

    @Test
    void of_an_execution_that_is_pruned_meanwhile_nothing_is_kept() {
        all.take(events(1, 2, 3), false);

        assertThat(all.take(List.of(event(3, "a")), true)).isEqualTo(Progress.NONE);

        assertThat(all.next().toString()).doesNotContain("@last");
        assertThat(all.take(List.of(), true)).isEqualTo(Progress.DONE);
        assertThat(all.answer()).isEmpty();
    }

    @Test
    void of_an_instance_that_begins_anew_meanwhile_nothing_is_kept() {
        all.take(events(1, 2, 3), false);

        assertThat(all.take(List.of(event(1, "b"), event(3, "b")), true)).isEqualTo(Progress.NONE);
        assertThat(all.take(List.of(event(1, "b"), event(2, "b")), true)).isEqualTo(Progress.DONE);

        assertThat(ids(all.answer())).containsExactly(1L, 2L);
    }

    @Test
    void of_some_events_those_count_that_are_wanted() {
        HistoryReading some = new HistoryReading(1, List.of(9L, 4L, 7L));

        assertThat(some.take(events(4, 7), false)).isEqualTo(Progress.FURTHER);
        assertThat(some.take(events(4, 7, 9), true)).isEqualTo(Progress.DONE);

        assertThat(ids(some.answer())).containsExactly(4L, 7L, 9L);
    }

    private static List<ObjectNode> events(long... ids) {
        List<ObjectNode> events = new ArrayList<>();
        LongStream.of(ids).forEach(id -> events.add(event(id, "a")));
        return events;
    }

    private static ObjectNode event(long id, String version) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("type", "history")
                .put("eventId", id)
                .put("_etag", version + id);
    }

    private static List<Long> ids(List<ObjectNode> events) {
        return events.stream().map(event -> event.path("eventId").asLong()).toList();
    }
}
