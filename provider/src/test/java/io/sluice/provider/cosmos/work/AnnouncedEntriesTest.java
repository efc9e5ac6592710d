package io.sluice.provider.cosmos.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Announced activities, which go to whatever process has a free worker, and own ones, which are announced later. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AnnouncedEntriesTest {
    private static final WorkFilter ALL = needs -> true;
    private static final WorkFilter RED = needs -> "red".equals(needs.tag());
    private static final WorkFilter BLUE = needs -> "blue".equals(needs.tag());
    private static final String NONE = "none";
    private static final long IDLE_MILLIS = Duration.ofMinutes(1).toMillis();

    private final WorkIndex index = new WorkIndex(WorkLimits.of(WorkQueue.ACTIVITIES));
    private long fetches;

    @Test
    void as_many_are_asked_for_as_workers_wait() {
        healthy(ALL);
        ask(ALL, false, 0);
        ask(ALL, false, 0);

        assertThat(index.demanded()).isEqualTo(2);
        announce("a", "red", 0);
        assertThat(index.demanded()).isEqualTo(1);
    }

    @Test
    void what_is_at_hand_goes_back_when_the_last_worker_is_busy() {
        healthy(ALL);
        long worker = ask(ALL, false, 0);
        Receipt first = announce("a", "red", 0);
        Receipt second = announce("b", "red", 0);

        List<WorkDecision> made = index.take(worker, ALL, false, at(0));

        assertThat(candidate(made)).isEqualTo("a");
        assertThat(made).contains(new WorkDecision.Release(second)).doesNotContain(new WorkDecision.Release(first));
        Receipt third = new Receipt();
        assertThat(announced("c", "red", third, 0)).contains(new WorkDecision.Release(third));
    }

    @Test
    void after_a_hundred_own_ones_an_announced_one_is_asked_for_and_taken() {
        healthy(ALL);
        for (int i = 0; i < 200; i++) {
            index.written(work("own-" + i, "red", 0), at(0));
        }
        for (int i = 0; i < 100; i++) {
            assertThat(take(ALL, 0)).startsWith("own-");
        }
        long worker = ask(ALL, false, 0);

        assertThat(index.demanded()).isPositive();
        announce("announced", "red", 0);
        assertThat(candidate(index.take(worker, ALL, false, at(0)))).isEqualTo("announced");
        assertThat(take(ALL, 0)).startsWith("own-");
    }

    @Test
    void workers_wait_for_an_announced_one_for_a_moment_only() {
        healthy(ALL);
        for (int i = 0; i < 200; i++) {
            index.written(work("own-" + i, "red", 0), at(0));
        }
        for (int i = 0; i < 100; i++) {
            take(ALL, 0);
        }
        long worker = ask(ALL, false, 0);

        assertThat(index.next().steadyMillis()).isEqualTo(250);
        assertThat(candidate(index.take(worker, ALL, false, at(250)))).startsWith("own-");
    }

    @Test
    void where_another_process_was_faster_the_own_ones_are_left_to_their_announcements() {
        healthy(ALL);
        index.written(work("own-1", "red", 0), at(0));
        index.written(work("own-2", "red", 0), at(0));

        index.raceLost(at(0));

        assertThat(take(ALL, 0)).isEqualTo(NONE);
    }

    @Test
    void where_nothing_is_announced_own_ones_are_nobody_elses() {
        index.written(work("own-1", "red", 0), at(0));

        index.raceLost(at(0));

        assertThat(take(ALL, 0)).isEqualTo("own-1");
    }

    @Test
    void a_filter_that_comes_again_searches_if_work_for_it_was_left_to_others_and_else_not() {
        healthy(BLUE);
        healthy(RED);
        assertThat(searches(BLUE, IDLE_MILLIS)).as("nothing was").isFalse();
        take(RED, 2 * IDLE_MILLIS);
        announced("a", "blue", RED, new Receipt(), 2 * IDLE_MILLIS);

        assertThat(searches(BLUE, 2 * IDLE_MILLIS)).isTrue();
    }

    @Test
    void a_page_of_what_others_take_is_no_news_the_second_time() {
        take(BLUE, 0);
        long fetch = ++fetches;
        int searches = 0;
        WorkDecision.Search wanted = search(index.take(fetch, RED, true, at(0)));
        while (wanted != null) {
            searches++;
            var page = new WorkFound(List.of(work("a", "blue", 0)), new WorkFound.Extent(false, true, false, 1));
            index.found(wanted.request().number(), page, at(0));
            wanted = search(index.take(fetch, RED, true, at(0)));
        }

        assertThat(searches).isLessThan(4);
        assertThat(take(BLUE, 0)).isEqualTo("a");
    }

    @Test
    void what_is_due_of_an_entry_is_tried_though_nobody_takes_what_comes_later() {
        take(RED, 0);
        index.written(work("a", "blue", 0).dueAgainAt(IDLE_MILLIS), at(0));
        var unknown = new KnownWork(
                "a", "instance", List.of(AnnouncedDocument.named("event", 1)), WorkNeeds.UNKNOWN, 0, 0, null, false);

        index.written(unknown, at(0));

        assertThat(take(RED, 0)).isEqualTo("a");
    }

    @Test
    void what_a_fetch_can_not_take_is_left_out_of_its_search() {
        take(BLUE, 0);
        index.written(work("a", "blue", 0), at(0));

        assertThat(searched(++fetches, RED).hidden()).contains("a");
    }

    @Test
    void what_is_searched_beyond_the_own_slots_is_tried_in_the_order_of_the_search() {
        long fetch = ++fetches;
        long search = searched(fetch, ALL).number();
        List<KnownWork> turned = List.of(work("young", "red", 9), work("old", "red", 1));
        var extent = new WorkFound.Extent(true, true, false, 1);

        index.found(search, new WorkFound(turned, extent, true), at(0));

        assertThat(candidate(index.take(fetch, ALL, true, at(0)))).isEqualTo("young");
        assertThat(take(ALL, 0)).isEqualTo("old");
    }

    /** A worker with this filter has fetched, and all there is was searched. */
    private void healthy(WorkFilter filter) {
        index.healthy(true, at(0));
        take(filter, 0);
    }

    private static WorkMoment at(long millis) {
        return new WorkMoment(millis, millis);
    }

    private Receipt announce(String id, String tag, long now) {
        Receipt receipt = new Receipt();
        announced(id, tag, receipt, now);
        return receipt;
    }

    private List<WorkDecision> announced(String id, String tag, Receipt receipt, long now) {
        return announced(id, tag, ALL, receipt, now);
    }

    private List<WorkDecision> announced(String id, String tag, WorkFilter toldTo, Receipt receipt, long now) {
        return index.announced(List.of(work(id, tag, 0)), receipt, toldTo, WorkIndex.Delivery.RETURNABLE, at(now));
    }

    private static KnownWork work(String id, String tag, long enqueuedAt) {
        var document = AnnouncedDocument.named(id, enqueuedAt);
        var needs = WorkNeeds.ofActivity(tag, null);
        return new KnownWork(id, "instance", List.of(document), needs, 0, Long.MAX_VALUE, null, false);
    }

    private WorkSearch.Request searched(long fetch, WorkFilter filter) {
        WorkDecision.Search wanted = search(index.take(fetch, filter, true, at(0)));
        return Objects.requireNonNull(wanted, "no search").request();
    }

    private boolean searches(WorkFilter filter, long now) {
        long fetch = ++fetches;
        boolean isSearched = search(index.take(fetch, filter, true, at(now))) != null;
        index.leave(fetch, at(now));
        return isSearched;
    }

    /** The key of what a new fetch is given, which then ends. */
    private String take(WorkFilter filter, long now) {
        long fetch = ++fetches;
        String key = candidate(answer(fetch, filter, true, now));
        index.leave(fetch, at(now));
        return key;
    }

    /** A fetch that goes on; returns its number. */
    private long ask(WorkFilter filter, boolean isOver, long now) {
        long fetch = ++fetches;
        answer(fetch, filter, isOver, now);
        return fetch;
    }

    private List<WorkDecision> answer(long fetch, WorkFilter filter, boolean isOver, long now) {
        List<WorkDecision> made = index.take(fetch, filter, isOver, at(now));
        WorkDecision.Search wanted = search(made);
        if (wanted == null) {
            return made;
        }
        var nothing = new WorkFound(List.of(), new WorkFound.Extent(true, true, false, 1));
        index.found(wanted.request().number(), nothing, at(now));
        return answer(fetch, filter, isOver, now);
    }

    private static WorkDecision.@Nullable Search search(List<WorkDecision> made) {
        return made.stream()
                .filter(WorkDecision.Search.class::isInstance)
                .map(WorkDecision.Search.class::cast)
                .findFirst()
                .orElse(null);
    }

    private static String candidate(List<WorkDecision> made) {
        return made.stream()
                .filter(WorkDecision.Try.class::isInstance)
                .map(given -> ((WorkDecision.Try) given).candidate().key())
                .findFirst()
                .orElse(NONE);
    }

    /** What becomes of it, the index decides and somebody else does. */
    private static final class Receipt implements WorkFeed.Receipt {
        @Override
        public void handled() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void returned() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isCurrent() {
            return true;
        }
    }
}
