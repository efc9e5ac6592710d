package io.sluice.provider.cosmos.work.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.work.KnownWork;
import io.sluice.provider.cosmos.work.WorkFilter;
import io.sluice.provider.cosmos.work.WorkFound;
import io.sluice.provider.cosmos.work.WorkLimits;
import io.sluice.provider.cosmos.work.WorkMoment;
import io.sluice.provider.cosmos.work.WorkNeeds;
import io.sluice.provider.cosmos.work.WorkOutcome;
import io.sluice.provider.cosmos.work.WorkSearch;
import java.time.Duration;
import java.util.ArrayList;
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
    private static final long BUSY_MILLIS = Duration.ofSeconds(10).toMillis();
    private static final long IDLE_MILLIS = Duration.ofMinutes(1).toMillis();

    private final WorkIndex index = new WorkIndex(WorkLimits.of(WorkQueue.ACTIVITIES));
    private long fetches;

    @Test
    void as_many_are_asked_for_as_workers_wait() {
        healthy(ALL);
        ask(ALL, false, 0);
        ask(ALL, false, 0);

        assertThat(index.demanded(ALL)).isEqualTo(2);
        announce("a", "red", 0);
        assertThat(index.demanded(ALL)).isEqualTo(1);
    }

    @Test
    void what_is_at_hand_goes_back_when_the_last_worker_is_busy() {
        healthy(ALL);
        long worker = ask(ALL, false, 0);
        DecidedReceipt first = announce("a", "red", 0);
        DecidedReceipt second = announce("b", "red", 0);

        List<WorkDecision> made = index.take(worker, ALL, false, at(0));

        assertThat(candidate(made)).isEqualTo("a");
        assertThat(made).contains(new WorkDecision.Release(second)).doesNotContain(new WorkDecision.Release(first));
        DecidedReceipt third = new DecidedReceipt();
        assertThat(announced("c", "red", third, 0)).contains(new WorkDecision.Release(third));
    }

    @Test
    void after_a_hundred_own_ones_an_announced_one_is_asked_for_and_taken() {
        healthy(ALL);
        takeOwn(100);

        assertThat(index.demanded(ALL)).isPositive();
        announce("announced", "red", 0);
        assertThat(take(ALL, 0)).isEqualTo("announced");
        assertThat(take(ALL, 0)).startsWith("own-");
    }

    @Test
    void no_worker_waits_for_an_announced_one_while_there_are_own_ones() {
        healthy(ALL);
        takeOwn(1_000);
    }

    @Test
    void one_that_comes_while_all_workers_are_busy_with_own_ones_is_kept_for_the_next() {
        healthy(ALL);
        takeOwn(100);
        DecidedReceipt one = new DecidedReceipt();
        DecidedReceipt another = new DecidedReceipt();

        assertThat(announced("one", "red", one, 0)).doesNotContain(new WorkDecision.Release(one));
        assertThat(announced("another", "red", another, 0)).contains(new WorkDecision.Release(another));
        assertThat(take(ALL, 0)).isEqualTo("one");
        assertThat(take(ALL, 0)).startsWith("own-");
    }

    @Test
    void workers_that_are_busy_for_long_neither_ask_for_one_nor_keep_it() {
        healthy(ALL);
        takeOwn(100);
        DecidedReceipt one = announce("one", "red", 0);

        List<WorkDecision> made = index.passed(at(index.next().millis()));

        assertThat(made).contains(new WorkDecision.Release(one));
        assertThat(index.demanded(ALL)).isZero();
        DecidedReceipt another = new DecidedReceipt();
        assertThat(announced("another", "red", another, BUSY_MILLIS)).contains(new WorkDecision.Release(another));
    }

    @Test
    void the_first_of_them_that_comes_asks_for_one_and_waits_for_a_moment() {
        healthy(ALL);
        takeOwn(100);
        index.passed(at(BUSY_MILLIS));
        long worker = ++fetches;

        List<WorkDecision> made = index.take(worker, ALL, false, at(BUSY_MILLIS));

        assertThat(made).contains(new WorkDecision.Wait(worker), new WorkDecision.Demand(ALL, 1));
        assertThat(candidate(index.take(++fetches, ALL, false, at(BUSY_MILLIS))))
                .as("another takes an own one meanwhile")
                .startsWith("own-");
        announce("announced", "red", BUSY_MILLIS);
        assertThat(candidate(index.take(worker, ALL, false, at(BUSY_MILLIS)))).isEqualTo("announced");
    }

    @Test
    void it_takes_an_own_one_when_none_came() {
        healthy(ALL);
        takeOwn(100);
        index.passed(at(BUSY_MILLIS));
        long worker = ++fetches;
        index.take(worker, ALL, false, at(BUSY_MILLIS));

        WorkMoment over = at(index.next().millis());
        List<WorkDecision> made = index.passed(over);

        assertThat(over.millis() - BUSY_MILLIS).isPositive().isLessThan(1_000);
        assertThat(made).contains(new WorkDecision.Wake(worker));
        assertThat(candidate(index.take(worker, ALL, false, over))).startsWith("own-");
        assertThat(take(ALL, over.millis())).as("not again at once").startsWith("own-");
    }

    @Test
    void one_that_may_not_wait_takes_an_own_one_at_once() {
        healthy(ALL);
        takeOwn(100);
        index.passed(at(BUSY_MILLIS));
        long worker = ++fetches;
        index.take(worker, ALL, false, at(BUSY_MILLIS));

        assertThat(candidate(index.take(worker, ALL, true, at(BUSY_MILLIS)))).startsWith("own-");
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
        announced("a", "blue", RED, new DecidedReceipt(), 2 * IDLE_MILLIS);

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

    @Test
    void a_filter_asks_for_what_its_own_workers_are_free_for() {
        healthy(ALL);
        ask(BLUE, false, 0);
        announce("r", "red", 0);
        List<WorkDecision> made = index.passed(at(0));

        assertThat(index.demanded(BLUE)).isEqualTo(1);
        assertThat(index.demanded(RED)).isZero();
        assertThat(made).isEmpty();
    }

    @Test
    void what_no_free_worker_takes_goes_back_though_others_are_free() {
        healthy(ALL);
        ask(BLUE, false, 0);
        DecidedReceipt red = new DecidedReceipt();

        assertThat(announced("r", "red", red, IDLE_MILLIS)).contains(new WorkDecision.Release(red));
    }

    @Test
    void a_filter_that_comes_again_says_what_it_wants_again() {
        healthy(RED);
        ask(RED, false, 0);

        assertThat(index.take(++fetches, RED, false, at(0))).contains(new WorkDecision.Demand(RED, 2));
    }

    @Test
    void workers_that_came_no_more_are_expected_for_five_seconds_each() {
        healthy(ALL);
        for (int i = 0; i < 10; i++) {
            ask(ALL, false, 0);
        }
        for (long fetch = fetches; fetch > fetches - 10; fetch--) {
            answer(fetch, ALL, true, 0);
        }
        assertThat(index.demanded(ALL)).as("they come again soon").isGreaterThanOrEqualTo(10);

        // One of them does.
        for (long at = 1_000; at < 7_000; at += 1_000) {
            answer(++fetches, ALL, true, at);
        }

        assertThat(index.demanded(ALL)).isEqualTo(1);
    }

    @Test
    void what_comes_does_not_pile_up_among_what_can_go_back() {
        healthy(ALL);
        ask(ALL, false, 0);
        ask(ALL, false, 0);
        for (int i = 0; i < 100; i++) {
            announce("a" + i, "red", 0);
            take(ALL, 0);
        }
        List<WorkDecision> made = announced("last", "red", new DecidedReceipt(), 0);

        assertThat(made).noneMatch(WorkDecision.Release.class::isInstance);
        assertThat(index.size()).isLessThanOrEqualTo(101);
    }

    @Test
    void an_activity_of_a_session_that_no_worker_asks_for_any_more_is_left_to_others() {
        healthy(RED);
        DecidedReceipt receipt = new DecidedReceipt();
        index.announced(List.of(work("a", "red", 0)), receipt, RED, WorkIndex.Delivery.KEPT, at(0));
        take(BLUE, IDLE_MILLIS);

        List<WorkDecision> made = index.passed(at(2 * IDLE_MILLIS));

        assertThat(made).contains(new WorkDecision.Settle(receipt));
        assertThat(index.state("a")).isNull();
        assertThat(searches(RED, 2 * IDLE_MILLIS)).isTrue();
    }

    @Test
    void activities_of_sessions_are_bounded_and_found_again_by_a_search() {
        healthy(RED);
        int most = WorkLimits.of(WorkQueue.ACTIVITIES).mostEntries();
        for (int i = 0; i < most; i++) {
            index.announced(
                    List.of(work("a" + i, "red", i)), new DecidedReceipt(), RED, WorkIndex.Delivery.KEPT, at(0));
        }
        DecidedReceipt receipt = new DecidedReceipt();

        List<WorkDecision> made =
                index.announced(List.of(work("more", "red", 0)), receipt, RED, WorkIndex.Delivery.KEPT, at(0));

        assertThat(made).contains(new WorkDecision.Settle(receipt));
        assertThat(index.size()).isEqualTo(most);
    }

    @Test
    void activities_of_others_sessions_don_t_hide_those_behind_them() {
        WorkFilter mine = needs -> needs.owner() == null || "me".equals(needs.owner());
        long fetch = ++fetches;
        WorkSearch.Request first = searched(fetch, mine);
        List<KnownWork> page = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            page.add(work("s" + i, "red", i));
        }
        index.found(first.number(), new WorkFound(page, new WorkFound.Extent(false, true, false, 1)), at(0));
        for (int i = 0; i < 16; i++) {
            String key = candidate(index.take(fetch, mine, false, at(0)));
            var unsuitable = new WorkOutcome.Unsuitable(WorkNeeds.ofActivity("red", "other"), "e", 30_000);
            index.concluded(key, unsuitable, at(0));
        }
        // They are forgotten, but for what was seen of them.
        index.passed(at(5_000));
        WorkDecision.Search next = search(index.take(fetch, mine, true, at(5_000)));

        assertThat(Objects.requireNonNull(next).request().hidden()).contains("s0", "s15");
    }

    @Test
    void a_fetch_whose_time_is_over_ends_however_much_waits_for_others() {
        take(BLUE, 0);
        for (int i = 0; i < 20_000; i++) {
            index.written(work("b" + i, "blue", i), at(0));
        }
        long fetch = ++fetches;
        int searches = 0;
        for (var wanted = search(index.take(fetch, RED, true, at(0)));
                wanted != null && searches < 10;
                wanted = search(index.take(fetch, RED, true, at(0)))) {
            searches++;
            List<KnownWork> page = List.of(work("b19999", "blue", 19_999));
            index.found(
                    wanted.request().number(), new WorkFound(page, new WorkFound.Extent(false, true, false, 1)), at(0));
        }

        assertThat(searches).isLessThan(4);
    }

    @Test
    void what_the_store_refuses_rests_longer_each_time_so_that_others_come() {
        take(ALL, 0);
        index.written(work("refused", "red", 0), at(0));
        index.written(work("other", "red", 1), at(0));
        long fetch = ++fetches;
        assertThat(candidate(index.take(fetch, ALL, false, at(0)))).isEqualTo("refused");
        index.concluded("refused", new WorkOutcome.Refused(5), at(0));
        assertThat(candidate(index.take(fetch, ALL, false, at(0))))
                .as("once at once")
                .isEqualTo("refused");
        index.concluded("refused", new WorkOutcome.Refused(5), at(0));

        assertThat(candidate(index.take(fetch, ALL, false, at(0)))).isEqualTo("other");
        assertThat(index.state("refused")).isEqualTo(new WorkState.BackingOff(100, WorkState.Reason.RETURNED));
    }

    /** A worker with this filter has fetched, and all there is was searched. */
    private void healthy(WorkFilter filter) {
        index.healthy(true, at(0));
        take(filter, 0);
    }

    /** This process has written twice as many, of which workers take so many. */
    private void takeOwn(int taken) {
        for (int i = 0; i < 2 * taken; i++) {
            index.written(work("own-" + i, "red", 0), at(0));
        }
        for (int i = 0; i < taken; i++) {
            assertThat(take(ALL, 0)).startsWith("own-");
        }
    }

    private static WorkMoment at(long millis) {
        return new WorkMoment(millis, millis);
    }

    private DecidedReceipt announce(String id, String tag, long now) {
        DecidedReceipt receipt = new DecidedReceipt();
        announced(id, tag, receipt, now);
        return receipt;
    }

    private List<WorkDecision> announced(String id, String tag, DecidedReceipt receipt, long now) {
        return announced(id, tag, ALL, receipt, now);
    }

    private List<WorkDecision> announced(String id, String tag, WorkFilter toldTo, DecidedReceipt receipt, long now) {
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
}
