package io.sluice.provider.cosmos.work.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.work.DocumentKey;
import io.sluice.provider.cosmos.work.KnownWork;
import io.sluice.provider.cosmos.work.WorkFilter;
import io.sluice.provider.cosmos.work.WorkFound;
import io.sluice.provider.cosmos.work.WorkLimits;
import io.sluice.provider.cosmos.work.WorkMoment;
import io.sluice.provider.cosmos.work.WorkNeeds;
import io.sluice.provider.cosmos.work.WorkOutcome;
import io.sluice.testkit.seed.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WorkIndexTest {
    private static final WorkFilter ALL = needs -> true;
    private static final String NONE = "none";
    /** Of the page that had what is announced, and of a read that shows it. */
    private static final String WRITTEN = "0:-1#5";

    private final WorkIndex index =
            new WorkIndex(WorkLimits.of(WorkQueue.TURNS).with(new WorkLimits.FeedWaits(0, 0, true)));
    private long fetches;
    private long searches;

    @Test
    void the_oldest_of_an_orchestration_comes_first() {
        index.healthy(true, at(0));
        announce("young", "A", 20, WRITTEN);
        announce("old", "A", 10, WRITTEN);

        assertThat(take(ALL)).isEqualTo("old");
        assertThat(take(ALL)).isEqualTo("young");
    }

    @Test
    void dispatchers_go_round_the_orchestrations_however_much_one_has() {
        index.healthy(true, at(0));
        for (int i = 0; i < 100; i++) {
            announce("a" + i, "A", i, WRITTEN);
        }
        announce("b", "B", 1_000, WRITTEN);

        assertThat(List.of(take(ALL), take(ALL))).contains("b");
    }

    @Test
    void a_filter_is_given_what_it_takes_and_nothing_else() {
        index.healthy(true, at(0));
        announce("a", "A", 1, WRITTEN);
        announce("b", "B", 2, WRITTEN);

        assertThat(take(onlyB())).isEqualTo("b");
        assertThat(take(onlyB())).isEqualTo(NONE);
    }

    @Test
    void a_fetch_whose_time_is_over_tries_as_many_as_a_search_finds() {
        index.healthy(true, at(0));
        for (int i = 0; i < 100; i++) {
            announce("i" + i, "A", i, WRITTEN);
        }

        int tries = 0;
        for (var made = index.take(1, ALL, true, at(0));
                !candidate(made).equals(NONE);
                made = index.take(1, ALL, true, at(0))) {
            tries++;
            index.concluded(candidate(made), new WorkOutcome.Contended(10_000), at(0));
        }

        assertThat(tries).isEqualTo(WorkLimits.of(WorkQueue.TURNS).searchLimit());
    }

    @Test
    void a_fetch_whose_time_is_over_is_given_what_this_process_wrote_just_now() {
        index.healthy(true, at(0));
        index.written(KnownWork.look("i", 0, null), at(0));

        assertThat(candidate(index.take(1, ALL, true, at(0)))).isEqualTo("i");
    }

    @Test
    void what_the_store_refused_comes_behind_what_waited_by_then() {
        index.healthy(true, at(0));
        announce("old", "A", 10, WRITTEN);
        announce("young", "A", 20, WRITTEN);
        String refused = take(ALL, 1_000);
        index.concluded(refused, new WorkOutcome.Refused(0), at(1_000));

        assertThat(List.of(refused, take(ALL, 1_000), take(ALL, 1_000))).containsExactly("old", "young", "old");
    }

    @Test
    void an_announcement_of_several_things_is_handled_with_the_last() {
        index.healthy(true, at(0));
        var receipt = new DecidedReceipt();
        index.announced(
                List.of(work("i", "A", 1, 0, WRITTEN), work("j", "A", 2, 0, WRITTEN)),
                receipt,
                ALL,
                WorkIndex.Delivery.KEPT,
                at(0));
        String first = take(ALL);
        String second = take(ALL);

        assertThat(index.concluded(first, new WorkOutcome.NotSeen(WRITTEN), at(0)))
                .isEmpty();
        assertThat(index.concluded(second, new WorkOutcome.NotSeen(WRITTEN), at(0)))
                .containsExactly(new WorkDecision.Settle(receipt));
    }

    @Test
    void what_is_absent_at_its_token_is_handled_at_once() {
        index.healthy(true, at(0));
        DecidedReceipt receipt = announce("i", "A", 1, WRITTEN);

        assertThat(index.concluded(take(ALL), new WorkOutcome.NotSeen("0:-1#6"), at(0)))
                .contains(new WorkDecision.Settle(receipt));
        assertThat(index.state("i")).isNull();
    }

    @Test
    void what_a_replica_that_is_not_that_far_does_not_show_is_looked_for_again() {
        index.healthy(true, at(0));
        DecidedReceipt receipt = announce("i", "A", 1, WRITTEN);

        assertThat(index.concluded(take(ALL), new WorkOutcome.NotSeen("0:-1#4"), at(0)))
                .doesNotContain(new WorkDecision.Settle(receipt));
        assertThat(index.concluded(take(ALL, 1_000), new WorkOutcome.NotSeen(WRITTEN), at(1_000)))
                .contains(new WorkDecision.Settle(receipt));
    }

    @Test
    void without_a_token_what_is_not_seen_is_looked_for_until_no_replica_lags_so_long() {
        index.healthy(true, at(0));
        DecidedReceipt receipt = announce("i", "A", 1, null);

        for (long at : List.of(0L, 1_000L, 5_000L)) {
            assertThat(index.concluded(take(ALL, at), new WorkOutcome.NotSeen(), at(at)))
                    .isEmpty();
        }
        assertThat(index.concluded(take(ALL, 15_000), new WorkOutcome.NotSeen(), at(15_000)))
                .contains(new WorkDecision.Settle(receipt));
    }

    @Test
    void a_message_that_a_turn_did_not_take_and_that_the_read_may_have_missed_stays() {
        index.healthy(true, at(0));
        announce("i", "A", 1, null);
        String key = take(ALL);

        var made = index.concluded(key, new WorkOutcome.Done(Set.of(DocumentKey.ofMessage("other", 0)), false), at(0));

        assertThat(made).isEmpty();
        assertThat(index.state(key)).isEqualTo(new WorkState.Due(1_000));
    }

    @Test
    void an_announcement_of_what_was_consumed_costs_nothing() {
        index.healthy(true, at(0));
        announce("i", "A", 1, WRITTEN);
        index.concluded(take(ALL), new WorkOutcome.Done(Set.of(DocumentKey.ofMessage("m-i", 1)), false), at(0));
        var repeated = new DecidedReceipt();

        assertThat(index.announced(
                        List.of(work("i", "A", 1, 0, WRITTEN)), repeated, ALL, WorkIndex.Delivery.KEPT, at(0)))
                .containsExactly(new WorkDecision.Settle(repeated));
    }

    @Test
    void others_are_asked_for_help_with_what_no_dispatcher_takes_for_two_seconds_and_it_stays() {
        index.healthy(true, at(0));
        take(ALL);
        DecidedReceipt receipt = announce("i", "A", 1, WRITTEN);

        var made = index.passed(at(2_000));

        assertThat(askedForHelp(made)).containsExactly("i");
        assertThat(made).doesNotContain(new WorkDecision.Settle(receipt));
        assertThat(take(ALL, 2_000)).isEqualTo("i");
    }

    @Test
    void a_request_for_help_with_very_many_messages_names_none() {
        index.healthy(true, at(0));
        take(ALL);
        for (int i = 0; i < 2_000; i++) {
            index.announced(
                    List.of(work("i", "A", i, 0, null, "m-" + i)),
                    new DecidedReceipt(),
                    ALL,
                    WorkIndex.Delivery.KEPT,
                    at(0));
        }

        assertThat(index.passed(at(2_000)))
                .filteredOn(WorkDecision.AskForHelp.class::isInstance)
                .first()
                .satisfies(asked -> assertThat(
                                ((WorkDecision.AskForHelp) asked).work().documents())
                        .isEmpty());
    }

    @Test
    void they_are_asked_again_since_a_request_may_be_lost() {
        index.healthy(true, at(0));
        take(ALL);
        announce("i", "A", 1, WRITTEN);
        index.passed(at(2_000));

        assertThat(askedForHelp(index.passed(at(20_000)))).isEmpty();
        assertThat(askedForHelp(index.passed(at(32_000)))).containsExactly("i");
    }

    @Test
    void a_request_for_help_ends_when_somebody_else_has_it() {
        index.healthy(true, at(0));
        long fetch = ++fetches;
        ask(fetch, ALL, false, 0);
        DecidedReceipt receipt = help("i", 0);
        String key = candidate(index.take(fetch, ALL, false, at(0)));

        var made = index.concluded(key, new WorkOutcome.Contended(60_000), at(0));

        assertThat(made).contains(new WorkDecision.Settle(receipt));
        assertThat(index.state("i")).isNull();
    }

    @Test
    void a_request_for_help_ends_with_the_lock() {
        index.healthy(true, at(0));
        long fetch = ++fetches;
        ask(fetch, ALL, false, 0);
        DecidedReceipt receipt = help("i", 0);
        String key = candidate(index.take(fetch, ALL, false, at(0)));
        index.held(key, 30_000, at(0));

        assertThat(index.concluded(key, new WorkOutcome.Locked(), at(0))).contains(new WorkDecision.Settle(receipt));
        assertThat(index.state("i")).isEqualTo(new WorkState.Held(30_000));
    }

    @Test
    void a_request_for_help_goes_back_while_no_dispatcher_is_free() {
        index.healthy(true, at(0));
        DecidedReceipt receipt = new DecidedReceipt();

        assertThat(helpAsked("i", receipt, 0)).containsExactly(new WorkDecision.Release(receipt));
    }

    @Test
    void what_the_filter_it_was_announced_for_does_not_take_is_left_to_others() {
        index.healthy(true, at(0));
        take(onlyB());
        DecidedReceipt receipt = announce("i", "B", 1, WRITTEN, onlyB());

        WorkNeeds found = WorkNeeds.ofTurn("A", null, null);

        assertThat(index.concluded(take(onlyB()), new WorkOutcome.Unsuitable(found, "e", 0, WRITTEN), at(0)))
                .contains(new WorkDecision.Settle(receipt));
    }

    @Test
    void what_comes_for_a_filter_that_was_forgotten_meanwhile_is_kept() {
        index.healthy(true, at(0));
        take(onlyB());
        take(onlyA(), ReadyLanes.UNUSED_MILLIS);
        DecidedReceipt receipt = announce("i", "B", 1, WRITTEN, onlyB());

        assertThat(index.passed(at(ReadyLanes.UNUSED_MILLIS))).doesNotContain(new WorkDecision.Settle(receipt));
        assertThat(take(onlyB(), ReadyLanes.UNUSED_MILLIS)).isEqualTo("i");
    }

    @Test
    void a_start_makes_what_a_look_has_found_before_moot() {
        index.healthy(true, at(0));
        take(onlyB());
        announce("i", "B", 1, WRITTEN, onlyB());
        index.concluded(take(onlyB()), new WorkOutcome.Unsuitable(WorkNeeds.ofTurn("A", null, null), "e"), at(0));
        DecidedReceipt receipt = new DecidedReceipt();

        var made = index.announced(List.of(start(WorkNeeds.UNKNOWN)), receipt, onlyB(), WorkIndex.Delivery.KEPT, at(0));

        assertThat(made).doesNotContain(new WorkDecision.Settle(receipt));
        assertThat(take(onlyB())).isEqualTo("i");
    }

    @Test
    void a_read_that_lagged_is_judged_by_when_it_was_made_however_long_its_turn_takes() {
        index.healthy(true, at(0));
        DecidedReceipt receipt = announce("i", "A", 1, null);
        String key = take(ALL);
        index.held(key, 60_000, at(0));
        index.concluded(key, new WorkOutcome.Locked(), at(0));

        var turn = new WorkOutcome.Done(Set.of(DocumentKey.ofMessage("other", 0)), false);

        assertThat(index.ended(key, turn, at(20_000))).doesNotContain(new WorkDecision.Settle(receipt));
        assertThat(take(ALL, 20_000)).isEqualTo("i");
    }

    @Test
    void a_hundred_messages_of_an_instance_are_one_request_for_help() {
        index.healthy(true, at(0));
        take(ALL);
        for (int i = 0; i < 100; i++) {
            index.announced(
                    List.of(work("i", "A", i, 0, null, "m-" + i)),
                    new DecidedReceipt(),
                    ALL,
                    WorkIndex.Delivery.KEPT,
                    at(i));
        }

        assertThat(askedForHelp(index.passed(at(4_000)))).containsExactly("i");
        assertThat(askedForHelp(index.passed(at(6_000)))).isEmpty();
    }

    @Test
    void above_the_rate_those_that_waited_longest_are_asked_for_first() {
        index.healthy(true, at(0));
        take(ALL);
        int rate = WorkLimits.of(WorkQueue.TURNS).helpPerSecond();
        for (int i = 0; i < 3 * rate; i++) {
            announce("i" + i, "A", i, WRITTEN);
        }

        List<String> asked = new ArrayList<>();
        for (long second = 2; second < 5; second++) {
            List<String> now = askedForHelp(index.passed(at(1_000 * second)));
            assertThat(now).hasSize(rate);
            asked.addAll(now);
        }
        assertThat(asked).doesNotHaveDuplicates();
    }

    @Test
    void help_is_not_asked_for_with_what_another_process_has_by_now() {
        index.healthy(true, at(0));
        take(ALL);
        DecidedReceipt receipt = announce("i", "A", 1, WRITTEN);
        receipt.revoke();

        assertThat(askedForHelp(index.passed(at(2_000)))).isEmpty();
        assertThat(index.state("i")).isNull();
    }

    @Test
    void a_request_for_help_with_what_this_process_runs_ends_at_once() {
        index.healthy(true, at(0));
        ask(++fetches, ALL, false, 0);
        index.held("i", 30_000, at(0));
        DecidedReceipt receipt = new DecidedReceipt();

        assertThat(helpAsked("i", receipt, 0)).contains(new WorkDecision.Settle(receipt));
    }

    @Test
    void a_start_that_is_due_later_ends_the_wait_for_one_then() {
        index.healthy(true, at(0));
        announce("i", "A", 1, WRITTEN);
        index.concluded(take(ALL), new WorkOutcome.Unstarted(60_000), at(0));
        KnownWork start = start(WorkNeeds.UNKNOWN).dueAgainAt(5_000);
        index.announced(List.of(start), new DecidedReceipt(), ALL, WorkIndex.Delivery.KEPT, at(0));

        assertThat(take(ALL, 4_999)).isEqualTo(NONE);
        assertThat(take(ALL, 5_000)).isEqualTo("i");
    }

    @Test
    void a_fetch_whose_time_is_over_and_that_searches_does_not_wake_those_that_wait() {
        index.take(1, ALL, true, at(0));
        index.take(2, ALL, false, at(0));

        assertThat(index.next().steadyMillis()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void fetches_no_longer_than_the_rest_between_searches_search_once_each() {
        WorkLimits limits = WorkLimits.of(WorkQueue.TURNS);
        long poll = limits.longestRestMillis() - 1;
        long fetchesMade = 60;

        for (long fetch = 1, now = 0; fetch <= fetchesMade; fetch++) {
            for (long end = now + poll;
                    now < end;
                    now = Math.min(end, index.next().steadyMillis())) {
                ask(fetch, ALL, false, now);
            }
            assertThat(ask(fetch, ALL, true, now)).containsExactly(new WorkDecision.Nothing(fetch));
        }

        // Before, rests grow.
        int grown = Long.numberOfTrailingZeros(
                Long.highestOneBit(limits.longestRestMillis() / limits.firstRestMillis()) << 1);
        assertThat(searches).isLessThanOrEqualTo(fetchesMade + grown);
    }

    @Test
    void what_the_instance_has_beside_such_a_start_is_not_gone() {
        index.healthy(true, at(0));
        take(onlyB());
        KnownWork start = start(WorkNeeds.ofTurn("B", null, null));
        index.announced(List.of(start), new DecidedReceipt(), onlyB(), WorkIndex.Delivery.KEPT, at(0));
        DecidedReceipt receipt = new DecidedReceipt();
        KnownWork event = work("i", "", 1, 0, WRITTEN).withNeeds(WorkNeeds.UNKNOWN);
        index.announced(List.of(event), receipt, onlyB(), WorkIndex.Delivery.KEPT, at(0));
        WorkNeeds before = WorkNeeds.ofTurn("A", null, null);

        assertThat(index.concluded(take(onlyB()), new WorkOutcome.Unsuitable(before, "e"), at(0)))
                .doesNotContain(new WorkDecision.Settle(receipt));
        assertThat(index.state("i")).isEqualTo(new WorkState.BackingOff(1_000, WorkState.Reason.NOT_SEEN));
    }

    @Test
    void what_is_due_later_is_not_left_to_those_who_run_the_instance_now() {
        index.healthy(true, at(0));
        take(onlyB());
        announce("i", "B", 1, WRITTEN, onlyB());
        index.concluded(take(onlyB()), new WorkOutcome.Unsuitable(WorkNeeds.ofTurn("A", null, null), "e"), at(0));
        DecidedReceipt receipt = new DecidedReceipt();
        var later = new KnownWork(
                "i", "i", List.of(AnnouncedDocument.named("later", 1)), WorkNeeds.UNKNOWN, 10_000, 0, null, false);

        var made = index.announced(List.of(later), receipt, onlyB(), WorkIndex.Delivery.KEPT, at(0));

        assertThat(made).doesNotContain(new WorkDecision.Settle(receipt));
        assertThat(take(onlyB(), 10_000)).isEqualTo("i");
    }

    private static KnownWork start(WorkNeeds needs) {
        return new KnownWork("i", "i", List.of(AnnouncedDocument.named("start", 1)), needs, 0, 0, null, true);
    }

    @Test
    void a_start_that_the_look_may_not_have_shown_is_looked_for_again() {
        index.healthy(true, at(0));
        take(onlyB());
        DecidedReceipt receipt = new DecidedReceipt();
        KnownWork start = start(WorkNeeds.ofTurn("B", null, null));
        index.announced(List.of(start), receipt, onlyB(), WorkIndex.Delivery.KEPT, at(0));
        WorkNeeds before = WorkNeeds.ofTurn("A", null, null);

        assertThat(index.concluded(take(onlyB()), new WorkOutcome.Unsuitable(before, "e"), at(0)))
                .doesNotContain(new WorkDecision.Settle(receipt));
        assertThat(take(onlyB(), 1_000)).isEqualTo("i");
    }

    @Test
    void what_comes_while_it_is_tried_is_tried_afterwards() {
        index.healthy(true, at(0));
        announce("i", "A", 1, WRITTEN);
        String key = take(ALL);
        index.announced(
                List.of(work("i", "A", 5, 0, WRITTEN, "m2")),
                new DecidedReceipt(),
                ALL,
                WorkIndex.Delivery.KEPT,
                at(0));
        index.concluded(key, new WorkOutcome.Done(Set.of(DocumentKey.ofMessage("m-i", 1)), false), at(0));

        assertThat(take(ALL)).isEqualTo("i");
    }

    @Test
    void only_what_is_tried_can_be_concluded() {
        assertThatThrownBy(() -> index.concluded("i", new WorkOutcome.Lost(), at(0)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("only what is tried");
    }

    @Test
    @Timeout(30)
    void a_take_costs_the_same_however_many_entries_and_filters_there_are() {
        index.healthy(true, at(0));
        List<WorkFilter> filters = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String other = "other" + i;
            filters.add(needs -> "A".equals(needs.orchestration()) || other.equals(needs.orchestration()));
            take(filters.get(i));
        }
        int entries = Tier.times(20_000, 100_000);
        for (int i = 0; i < entries; i++) {
            announce("i" + i, "A", i, WRITTEN);
        }

        for (int i = 0; i < entries; i++) {
            assertThat(take(filters.get(i % 100))).isNotEqualTo(NONE);
        }
    }

    private static WorkMoment at(long millis) {
        return new WorkMoment(millis, millis);
    }

    private static WorkFilter onlyB() {
        return new SimulatedProcess.Names(Set.of("B"));
    }

    private static WorkFilter onlyA() {
        return new SimulatedProcess.Names(Set.of("A"));
    }

    private DecidedReceipt announce(String instance, String name, long enqueuedAt, @Nullable String token) {
        return announce(instance, name, enqueuedAt, token, ALL);
    }

    private DecidedReceipt announce(
            String instance, String name, long enqueuedAt, @Nullable String token, WorkFilter toldTo) {
        var receipt = new DecidedReceipt();
        index.announced(
                List.of(work(instance, name, enqueuedAt, 0, token)), receipt, toldTo, WorkIndex.Delivery.KEPT, at(0));
        return receipt;
    }

    private DecidedReceipt help(String instance, long now) {
        var receipt = new DecidedReceipt();
        helpAsked(instance, receipt, now);
        return receipt;
    }

    private List<WorkDecision> helpAsked(String instance, DecidedReceipt receipt, long now) {
        return index.announced(
                List.of(work(instance, "A", 1, 0, null)), receipt, ALL, WorkIndex.Delivery.HELP, at(now));
    }

    private static KnownWork work(String instance, String name, long enqueuedAt, long dueAt, @Nullable String token) {
        return work(instance, name, enqueuedAt, dueAt, token, "m-" + instance);
    }

    private static KnownWork work(
            String instance, String name, long enqueuedAt, long dueAt, @Nullable String token, String message) {
        var document = AnnouncedDocument.named(message, enqueuedAt);
        var needs = WorkNeeds.ofTurn(name, null, null);
        return new KnownWork(instance, instance, List.of(document), needs, dueAt, 0, token, false);
    }

    private String take(WorkFilter filter) {
        return take(filter, 0);
    }

    /** The key of what a new fetch is given, which then ends. */
    private String take(WorkFilter filter, long now) {
        long fetch = ++fetches;
        var made = ask(fetch, filter, true, now);
        index.leave(fetch, at(now));
        return candidate(made);
    }

    /** What a fetch is told once it has searched, if it is to. */
    private List<WorkDecision> ask(long fetch, WorkFilter filter, boolean isOver, long now) {
        var made = index.take(fetch, filter, isOver, at(now));
        for (WorkDecision decision : made) {
            if (decision instanceof WorkDecision.Search search) {
                searches++;
                var nothing = new WorkFound(List.of(), new WorkFound.Extent(true, true, false, 1));
                index.found(search.request().number(), nothing, at(now));
                return ask(fetch, filter, isOver, now);
            }
        }
        return made;
    }

    private static String candidate(List<WorkDecision> made) {
        return made.stream()
                .filter(WorkDecision.Try.class::isInstance)
                .map(given -> ((WorkDecision.Try) given).candidate().key())
                .findFirst()
                .orElse(NONE);
    }

    private static List<String> askedForHelp(List<WorkDecision> made) {
        return made.stream()
                .filter(WorkDecision.AskForHelp.class::isInstance)
                .map(asked -> ((WorkDecision.AskForHelp) asked).work().key())
                .toList();
    }
}
