package io.sluice.provider.cosmos.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.TagFilter;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WorkerQueueViewTest {
    /** Processes whose views have one text share a group, and what one does not take is lost to the others. */
    @Test
    void different_views_have_different_texts() {
        List<TagFilter> filters = List.of(
                TagFilter.any(),
                TagFilter.none(),
                TagFilter.defaultOnly(),
                TagFilter.tags(Set.of("a", "b")),
                TagFilter.tags(Set.of("a, b")),
                TagFilter.tags(Set.of("a\", \"b")),
                TagFilter.tags(Set.of("a\\\", \\\"b")),
                TagFilter.tags(Set.of("")),
                TagFilter.defaultAnd(Set.of("a", "b")),
                TagFilter.manyTags(Set.of("a", "b")),
                TagFilter.defaultAndMany(Set.of("a", "b")));
        List<WorkerQueueView> views = filters.stream()
                .flatMap(tags -> Stream.of(new WorkerQueueView(tags, true), new WorkerQueueView(tags, false)))
                .toList();

        assertThat(views.stream().distinct()).as("they differ").hasSize(views.size());
        assertThat(views.stream().map(WorkerQueueView::filter)).doesNotHaveDuplicates();
    }

    @Test
    void a_view_of_sessions_is_told_apart_by_how_its_text_begins() {
        assertThat(new WorkerQueueView(TagFilter.tags(Set.of("b", "a")), true).filter())
                .isEqualTo("sessions:Tags [\"a\", \"b\"]");
        assertThat(new WorkerQueueView(TagFilter.any(), false).filter()).isEqualTo("Any []");
    }
}
