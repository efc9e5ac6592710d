package io.sluice.provider.cosmos.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
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

    private final WorkIndex index = new WorkIndex(WorkLimits.of(WorkQueue.TURNS));
    private long fetches;

    @Test
    void the_oldest_of_an_orchestration_comes_first() {
        index.healthy(true, at(0));
        announce("young", "A", 20, "1");
        announce("old", "A", 10, "1");

        assertThat(take(ALL)).isEqualTo("old");
        assertThat(take(ALL)).isEqualTo("young");
    }

    @Test
    void dispatchers_go_round_the_orchestrations_however_much_one_has() {
        index.healthy(true, at(0));
        for (int i = 0; i < 100; i++) {
            announce("a" + i, "A", i, "1");
        }
        announce("b", "B", 1_000, "1");

        assertThat(List.of(take(ALL), take(ALL))).contains("b");
    }

    @Test
    void a_filter_is_given_what_it_takes_and_nothing_else() {
        index.healthy(true, at(0));
        announce("a", "A", 1, "1");
        announce("b", "B", 2, "1");

        assertThat(take(onlyB())).isEqualTo("b");
        assertThat(take(onlyB())).isEqualTo(NONE);
    }

    @Test
    void a_fetch_whose_time_is_over_tries_as_many_as_a_search_finds() {
        index.healthy(true, at(0));
        for (int i = 0; i < 100; i++) {
            announce("i" + i, "A", i, "1");
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
    void an_announcement_of_several_things_is_handled_with_the_last() {
        index.healthy(true, at(0));
        var receipt = new Receipt();
        index.announced(
                List.of(work("i", "A", 1, 0, "1"), work("j", "A", 2, 0, "1")), receipt, WorkIndex.Delivery.KEPT, at(0));
        String first = take(ALL);
        String second = take(ALL);

        assertThat(index.concluded(first, new WorkOutcome.NotSeen(), at(0))).isEmpty();
        assertThat(index.concluded(second, new WorkOutcome.NotSeen(), at(0)))
                .containsExactly(new WorkDecision.Settle(receipt));
    }

    @Test
    void what_is_absent_at_its_token_is_handled_at_once() {
        index.healthy(true, at(0));
        Receipt receipt = announce("i", "A", 1, "1");

        assertThat(index.concluded(take(ALL), new WorkOutcome.NotSeen(), at(0)))
                .contains(new WorkDecision.Settle(receipt));
        assertThat(index.state("i")).isNull();
    }

    @Test
    void without_a_token_what_is_not_seen_is_looked_for_until_no_replica_lags_so_long() {
        index.healthy(true, at(0));
        Receipt receipt = announce("i", "A", 1, null);

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
        announce("i", "A", 1, "1");
        index.concluded(take(ALL), new WorkOutcome.Done(Set.of(DocumentKey.ofMessage("m-i", 1)), false), at(0));
        var repeated = new Receipt();

        assertThat(index.announced(List.of(work("i", "A", 1, 0, "1")), repeated, WorkIndex.Delivery.KEPT, at(0)))
                .containsExactly(new WorkDecision.Settle(repeated));
    }

    @Test
    void what_no_dispatcher_takes_for_two_seconds_is_handed_on_and_handled_when_kafka_has_taken_that() {
        index.healthy(true, at(0));
        take(ALL);
        Receipt receipt = announce("i", "A", 1, "1");

        WorkDecision.HandOn asked = handOn(index.passed(at(2_000)));

        assertThat(asked.work().token()).isEqualTo("1");
        assertThat(index.handedOn(asked, true, at(2_001))).contains(new WorkDecision.Settle(receipt));
    }

    @Test
    void what_kafka_refused_to_take_is_kept_and_handed_on_again() {
        index.healthy(true, at(0));
        take(ALL);
        announce("i", "A", 1, "1");
        index.handedOn(handOn(index.passed(at(2_000))), false, at(2_001));

        assertThat(index.state("i")).isInstanceOf(WorkState.Ready.class);
        assertThat(handOn(index.passed(at(4_001))).work().key()).isEqualTo("i");
    }

    @Test
    void an_answer_to_an_earlier_request_for_help_handles_nothing_of_a_later_one() {
        index.healthy(true, at(0));
        take(ALL);
        announce("i", "A", 1, "1");
        WorkDecision.HandOn earlier = handOn(index.passed(at(2_000)));
        index.concluded(take(ALL, 2_000), new WorkOutcome.Returned(0), at(2_000));
        index.passed(at(4_000));

        assertThat(index.handedOn(earlier, true, at(4_001))).isEmpty();
        assertThat(index.state("i")).isInstanceOf(WorkState.Ready.class);
    }

    @Test
    void what_a_look_found_out_goes_with_the_request_for_help() {
        index.healthy(true, at(0));
        take(onlyB());
        announce("i", "B", 1, "1");

        WorkNeeds found = WorkNeeds.ofTurn("A", null, null);
        var made = index.concluded(take(onlyB()), new WorkOutcome.Unsuitable(found, "e"), at(0));

        assertThat(handOn(made).work().needs()).isEqualTo(found);
    }

    @Test
    void what_comes_while_it_is_tried_is_tried_afterwards() {
        index.healthy(true, at(0));
        announce("i", "A", 1, "1");
        String key = take(ALL);
        index.announced(List.of(work("i", "A", 5, 0, "2", "m2")), new Receipt(), WorkIndex.Delivery.KEPT, at(0));
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
            announce("i" + i, "A", i, "1");
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

    private Receipt announce(String instance, String name, long enqueuedAt, @Nullable String token) {
        var receipt = new Receipt();
        index.announced(List.of(work(instance, name, enqueuedAt, 0, token)), receipt, WorkIndex.Delivery.KEPT, at(0));
        return receipt;
    }

    private static KnownWork work(String instance, String name, long enqueuedAt, long dueAt, @Nullable String token) {
        return work(instance, name, enqueuedAt, dueAt, token, "m-" + instance);
    }

    private static KnownWork work(
            String instance, String name, long enqueuedAt, long dueAt, @Nullable String token, String message) {
        var document = AnnouncedDocument.named(message, enqueuedAt);
        var needs = WorkNeeds.ofTurn(name, null, null);
        return new KnownWork(instance, instance, List.of(document), needs, dueAt, 0, token, false, false);
    }

    private String take(WorkFilter filter) {
        return take(filter, 0);
    }

    /** The key of what a new fetch is given, which then ends. */
    private String take(WorkFilter filter, long now) {
        long fetch = ++fetches;
        var made = ask(fetch, filter, now);
        index.leave(fetch, at(now));
        return candidate(made);
    }

    /** What a fetch is told once it has searched, if it is to. */
    private List<WorkDecision> ask(long fetch, WorkFilter filter, long now) {
        var made = index.take(fetch, filter, true, at(now));
        for (WorkDecision decision : made) {
            if (decision instanceof WorkDecision.Search search) {
                var nothing = new WorkFound(List.of(), new WorkFound.Extent(true, true, false, 1));
                index.found(search.request().number(), nothing, at(now));
                return ask(fetch, filter, now);
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

    private static WorkDecision.HandOn handOn(List<WorkDecision> made) {
        return (WorkDecision.HandOn) made.stream()
                .filter(WorkDecision.HandOn.class::isInstance)
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing is handed on: " + made));
    }

    private static final class Receipt implements WorkFeed.Receipt {
        @Override
        public void handled() {
            throw new UnsupportedOperationException("the index decides, it does not answer");
        }

        @Override
        public void returned() {
            throw new UnsupportedOperationException("the index decides, it does not answer");
        }

        @Override
        public boolean isCurrent() {
            return true;
        }
    }
}
