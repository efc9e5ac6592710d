package io.sluice.provider.cosmos.work.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.work.DocumentKey;
import io.sluice.provider.cosmos.work.KnownWork;
import io.sluice.provider.cosmos.work.WorkCandidate;
import io.sluice.provider.cosmos.work.WorkFilter;
import io.sluice.provider.cosmos.work.WorkFound;
import io.sluice.provider.cosmos.work.WorkLimits;
import io.sluice.provider.cosmos.work.WorkMoment;
import io.sluice.provider.cosmos.work.WorkNeeds;
import io.sluice.provider.cosmos.work.WorkOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dispatchers with several filters in one process: what one does, or no longer does, is not the others' affair. */
class FiltersBesideOthersTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final List<WorkDecision> made = new ArrayList<>();
    private long fetches;

    private record Only(String orchestrationOrTag, @Nullable String owner) implements WorkFilter {
        Only(String orchestrationOrTag) {
            this(orchestrationOrTag, null);
        }

        @Override
        public boolean accepts(WorkNeeds needs) {
            boolean isOwner = needs.owner() == null
                    || (owner != null
                            && (needs.owner().isEmpty() || needs.owner().equals(owner)));
            return isOwner && needs.fairnessKey().equals(orchestrationOrTag);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 10})
    void a_filter_that_nobody_uses_is_forgotten_however_many_are_in_use(int others) {
        WorkIndex index = turns();
        fetchInVain(index, new Only("gone"), 0);
        for (long now = 0; now <= 60_000; now += 500) {
            for (int i = 0; i < others; i++) {
                fetchInVain(index, new Only("used-" + i), now);
            }
        }

        assertThat(index.isAccepted(WorkNeeds.ofTurn("gone", null, null))).isFalse();
        assertThat(Stream.iterate(0, i -> i + 1).limit(others))
                .allMatch(i -> index.isAccepted(WorkNeeds.ofTurn("used-" + i, null, null)));
    }

    @Test
    void a_filter_that_nobody_uses_is_forgotten_beside_a_fetch_that_waits() {
        WorkIndex index = turns();
        ask(index, ++fetches, new Only("waits"), false, 0);
        fetchInVain(index, new Only("gone"), 10);

        index.passed(at(31_000));
        index.passed(at(62_000));

        assertThat(index.isAccepted(WorkNeeds.ofTurn("gone", null, null))).isFalse();
        assertThat(index.isAccepted(WorkNeeds.ofTurn("waits", null, null))).isTrue();
    }

    @Test
    void workers_that_take_their_own_ask_for_others_whatever_other_filters_take() {
        WorkIndex index = activities();
        var busy = new Only("a");
        var other = new Only("b");
        boolean isOneOfOthersAskedFor = false;
        for (int i = 0; i < 200; i++) {
            index.written(activity("own-" + i, "a"), at(0));
            index.written(activity("more-" + i, "a"), at(0));
            done(index, take(index, busy, 0));
            isOneOfOthersAskedFor |= index.demanded(busy) > 0;
            if (i % 50 == 0) {
                long waits = ++fetches;
                ask(index, waits, other, false, 0);
                announce(index, activity("b-" + i, "b"), other, WorkIndex.Delivery.RETURNABLE, 0);
                done(index, ask(index, waits, other, false, 0));
            }
        }

        assertThat(isOneOfOthersAskedFor).isTrue();
    }

    @Test
    void nothing_is_asked_for_a_filter_without_a_free_worker_because_another_takes_its_own() {
        WorkIndex index = activities();
        var busy = new Only("b");
        index.written(activity("long", "b"), at(0));
        done(index, take(index, busy, 0));
        fetchInVain(index, new Only("a"), 0);
        for (int i = 0; i < 150; i++) {
            index.written(activity("own-" + i, "a"), at(0));
            done(index, take(index, new Only("a"), 0));
        }

        assertThat(index.demanded(busy)).isZero();
        DecidedReceipt returned = announce(index, activity("b", "b"), busy, WorkIndex.Delivery.RETURNABLE, 0);
        assertThat(made).contains(new WorkDecision.Release(returned));
    }

    @Test
    void help_is_asked_for_by_turns_between_orchestrations() {
        WorkIndex index = turns();
        WorkFilter all = needs -> true;
        fetchInVain(index, all, 0);
        for (int i = 0; i < 10_000; i++) {
            announce(index, turn("a-" + i, "A"), all, WorkIndex.Delivery.KEPT, 0);
        }
        announce(index, turn("b", "B"), all, WorkIndex.Delivery.KEPT, 1);

        made.clear();
        for (long now = 0; now <= 5_000; now += 100) {
            made.addAll(index.passed(at(now)));
        }

        assertThat(made)
                .filteredOn(WorkDecision.AskForHelp.class::isInstance)
                .extracting(asked -> ((WorkDecision.AskForHelp) asked).work().key())
                .contains("b");
    }

    @Test
    void what_was_left_to_another_owner_is_tried_when_its_claim_lapses_though_that_owner_was_of_this_process() {
        WorkIndex index = activities();
        var first = new Only("a", "owner-1");
        var second = new Only("a", "owner-2");
        fetchInVain(index, first, 0);
        announce(index, activity("x", "e", WorkNeeds.ofActivity("a", "")), first, WorkIndex.Delivery.KEPT, 1);
        WorkCandidate tried = take(index, second, 10);
        var held = new WorkOutcome.Unsuitable(WorkNeeds.ofActivity("a", "owner-1"), "", 58_000);
        index.concluded(tried.key(), held, at(10));

        for (long now = 500; now < 58_000; now += 500) {
            fetchInVain(index, second, now);
        }

        assertThat(take(index, second, 58_000).key()).isEqualTo("x");
    }

    @Test
    void what_nobody_here_takes_any_more_of_an_entry_is_left_to_others_at_once() {
        WorkIndex index = turns();
        var mine = new Only("mine");
        fetchInVain(index, mine, 0);
        announce(index, turn("i", null), mine, WorkIndex.Delivery.KEPT, 1);
        index.written(turn("i", "foreign"), at(2));
        for (long now = 3; now <= 2_100; now += 100) {
            made.addAll(index.passed(at(now)));
        }

        assertThat(take(index, mine, 2_200).key())
                .as("one look finds out what the message is for")
                .isEqualTo("i");
    }

    @Test
    void what_was_announced_for_a_worker_that_does_not_come_again_goes_to_others() {
        WorkIndex index = activities();
        var filter = new Only("a");
        fetchInVain(index, filter, 0);
        DecidedReceipt kept = announce(index, activity("x", "a"), filter, WorkIndex.Delivery.RETURNABLE, 3_000);
        assertThat(made).doesNotContain(new WorkDecision.Release(kept));

        long next = index.next().millis();
        assertThat(next).isLessThanOrEqualTo(5_000);
        assertThat(index.passed(at(next))).contains(new WorkDecision.Release(kept));
    }

    @Test
    void what_the_store_refuses_twice_goes_to_others() {
        WorkIndex index = activities();
        var filter = new Only("a");
        long worker = ++fetches;
        ask(index, worker, filter, false, 0);
        DecidedReceipt refused = announce(index, activity("x", "a"), filter, WorkIndex.Delivery.RETURNABLE, 0);

        made.clear();
        ask(index, worker, filter, false, 0);
        made.addAll(index.concluded("x", new WorkOutcome.Refused(10), at(10)));
        assertThat(made).doesNotContain(new WorkDecision.Release(refused));
        ask(index, worker, filter, false, 10);
        made.addAll(index.concluded("x", new WorkOutcome.Refused(10), at(20)));

        assertThat(made).contains(new WorkDecision.Release(refused));
        assertThat(index.size()).isZero();
    }

    @Test
    void a_try_during_which_the_machine_slept_rests_for_half_a_minute_at_most() {
        WorkIndex index = turns();
        var filter = new Only("A");
        fetchInVain(index, filter, 0);
        announce(index, turn("i", "A"), filter, WorkIndex.Delivery.KEPT, 0);
        take(index, filter, 0);
        long awake = HOUR.toMillis();
        index.concluded("i", new WorkOutcome.Refused(awake), at(awake));

        assertThat(take(index, filter, awake + 30_000).key()).isEqualTo("i");
    }

    @Test
    void an_old_announcement_that_comes_late_does_not_end_a_newer_one() {
        WorkIndex index = activities();
        var filter = new Only("a");
        fetchInVain(index, filter, 0);
        DecidedReceipt newer = announce(index, version("x", "e3"), filter, WorkIndex.Delivery.KEPT, 0);
        DecidedReceipt older = announce(index, version("x", "e1"), filter, WorkIndex.Delivery.KEPT, 100);
        take(index, filter, 16_000);

        made.clear();
        made.addAll(index.concluded("x", new WorkOutcome.Gone(DocumentKey.ofActivity("x", "e1")), at(16_000)));

        assertThat(made).contains(new WorkDecision.Settle(older)).doesNotContain(new WorkDecision.Settle(newer));
        assertThat(take(index, filter, 16_001).documents())
                .extracting(AnnouncedDocument::etag)
                .containsExactly("e3");
    }

    @Test
    void what_was_given_back_and_another_process_has_taken_is_not_tried_again() {
        WorkIndex index = activities();
        var filter = new Only("a");
        fetchInVain(index, filter, 0);
        index.written(version("x", AnnouncedDocument.ANY_VERSION), at(0));
        take(index, filter, 0);

        index.concluded("x", new WorkOutcome.Gone(DocumentKey.ofActivity("x", "e2")), at(10));

        assertThat(ask(index, ++fetches, filter, false, 10)).isNull();
        assertThat(index.size()).isZero();
    }

    @Test
    void an_announcement_takes_one_off_what_was_said_for_every_filter_that_is_the_same_to_the_feed() {
        WorkIndex index = activities();
        var first = new Only("a", "owner-1");
        var second = new Only("a", "owner-2");
        fetchInVain(index, first, 0);
        ask(index, ++fetches, second, false, 6_000);
        assertThat(index.demanded(second)).isEqualTo(1);

        made.clear();
        announce(index, activity("for-others", "b"), first, WorkIndex.Delivery.RETURNABLE, 6_000);

        assertThat(made).contains(new WorkDecision.Demand(second, 1));
    }

    @Test
    void what_a_replica_that_is_behind_can_not_show_is_looked_for_until_it_is_not_behind() {
        WorkIndex index = turns();
        var filter = new Only("A");
        fetchInVain(index, filter, 0);
        KnownWork written =
                new KnownWork("i", "i", List.of(document("m", "e", 1)), WorkNeeds.UNKNOWN, 0, 0, "0:20", false);
        DecidedReceipt receipt = announce(index, written, filter, WorkIndex.Delivery.KEPT, 0);
        long minutes = Duration.ofMinutes(9).toMillis();
        made.clear();
        for (long now = 0; now < minutes; now += 1_000) {
            long fetch = ++fetches;
            if (ask(index, fetch, filter, true, now) != null) {
                made.addAll(index.concluded("i", new WorkOutcome.NotSeen("0:19"), at(now)));
            }
            made.addAll(index.leave(fetch, at(now)));
        }
        assertThat(made).doesNotContain(new WorkDecision.Settle(receipt));

        take(index, filter, minutes + 15_000);
        made.addAll(index.concluded("i", new WorkOutcome.NotSeen("0:20"), at(minutes + 15_000)));
        assertThat(made).contains(new WorkDecision.Settle(receipt));
    }

    private static WorkMoment at(long millis) {
        return new WorkMoment(millis, millis);
    }

    private static WorkIndex turns() {
        return healthy(WorkLimits.of(WorkQueue.TURNS).with(new WorkLimits.FeedWaits(0, 0, true)));
    }

    private static WorkIndex activities() {
        return healthy(WorkLimits.of(WorkQueue.ACTIVITIES));
    }

    private static WorkIndex healthy(WorkLimits limits) {
        var index = new WorkIndex(limits);
        index.healthy(true, at(0));
        return index;
    }

    private static KnownWork turn(String instance, @Nullable String orchestration) {
        return new KnownWork(
                instance,
                instance,
                List.of(document(orchestration == null ? "message" : "start", "e", 1)),
                orchestration == null ? WorkNeeds.UNKNOWN : WorkNeeds.ofTurn(orchestration, null, null),
                0,
                0,
                null,
                orchestration != null);
    }

    private static KnownWork activity(String id, String tag) {
        return activity(id, "e", WorkNeeds.ofActivity(tag, null));
    }

    private static KnownWork version(String id, String etag) {
        return activity(id, etag, WorkNeeds.ofActivity("a", null));
    }

    private static KnownWork activity(String id, String etag, WorkNeeds needs) {
        return new KnownWork(id, "i", List.of(document(id, etag, 0)), needs, 0, Long.MAX_VALUE, null, false);
    }

    private static AnnouncedDocument document(String id, String etag, long enqueuedAt) {
        return new AnnouncedDocument(id, "", 0, 0, enqueuedAt, null, 0, etag, null, null, null, null, null);
    }

    private DecidedReceipt announce(
            WorkIndex index, KnownWork work, WorkFilter toldTo, WorkIndex.Delivery delivery, long now) {
        var receipt = new DecidedReceipt();
        made.addAll(index.announced(List.of(work), receipt, toldTo, delivery, at(now)));
        return receipt;
    }

    private void fetchInVain(WorkIndex index, WorkFilter filter, long now) {
        long fetch = ++fetches;
        assertThat(ask(index, fetch, filter, true, now)).isNull();
        index.leave(fetch, at(now));
    }

    private WorkCandidate take(WorkIndex index, WorkFilter filter, long now) {
        return Objects.requireNonNull(ask(index, ++fetches, filter, false, now), "nothing is at hand");
    }

    private @Nullable WorkCandidate ask(WorkIndex index, long fetch, WorkFilter filter, boolean isOver, long now) {
        List<WorkDecision> answers = index.take(fetch, filter, isOver, at(now));
        made.addAll(answers);
        for (WorkDecision answer : answers) {
            if (answer instanceof WorkDecision.Search search) {
                var nothing = new WorkFound(List.of(), new WorkFound.Extent(true, true, false, 1));
                made.addAll(index.found(search.request().number(), nothing, at(now)));
                return ask(index, fetch, filter, isOver, now);
            }
            if (answer instanceof WorkDecision.Try given) {
                return given.candidate();
            }
        }
        return null;
    }

    private static void done(WorkIndex index, @Nullable WorkCandidate candidate) {
        String key = Objects.requireNonNull(candidate, "nothing is at hand").key();
        index.concluded(key, new WorkOutcome.Done(Set.of(), false), at(0));
    }
}
