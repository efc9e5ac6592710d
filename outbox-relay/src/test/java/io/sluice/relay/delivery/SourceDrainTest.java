package io.sluice.relay.delivery;

import static io.sluice.relay.delivery.IntentExamples.intent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.ProviderException;
import io.sluice.provider.document.Dispatch;
import io.sluice.provider.document.IntentStatus;
import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.Intent;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.loop.RetryBackoff;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SourceDrainTest {
    private static final long NOW = 5_000;
    private static final DeliveryOutcome FAILURE = new DeliveryOutcome.Transient("lost connection", null);

    private final ScriptedOutbox outbox = new ScriptedOutbox();
    private final InstantSource clock = InstantSource.fixed(Instant.ofEpochMilli(NOW));
    private final AtomicInteger failures = new AtomicInteger();
    private final SourceDrain drain = drain(false);
    private final SourceDrain besideRust = drain(true);

    private SourceDrain drain(boolean mixedFleet) {
        var step = new IntentStep(
                outbox,
                new DeliveryPolicy(3, Duration.ofDays(3), mixedFleet),
                new RetryBackoff(Duration.ofSeconds(1), Duration.ofMinutes(1), new SplittableRandom(1)),
                new DeliveryCounters(millis -> {}, failures::incrementAndGet),
                clock);
        return new SourceDrain(outbox, IntentExamples.inline(step, clock), RelayMemory.ofHeap(), clock);
    }

    private DrainResult drain() {
        return drain.run("s", () -> true);
    }

    @Test
    void what_has_no_room_to_count_its_tries_is_given_up_at_the_first() {
        var poison = intent("s", "t", 1);
        outbox.holding(poison)
                .answering(poison, new DeliveryOutcome.Poison("too large"))
                .withoutRoom();

        drain();

        assertThat(outbox.givenUp).singleElement().asString().contains("no room", "too large");
    }

    @Test
    void everything_due_is_delivered_in_order_and_removed_in_one_batch() {
        var first = intent("s", "t", 1);
        var second = intent("s", "t", 2);
        var other = intent("s", "u", 3);
        outbox.holding(second, other, first);

        var result = drain();

        assertThat(outbox.delivered).containsSubsequence(first, second).contains(other);
        assertThat(outbox.removals).as("one batch for all pairs").containsExactly(3);
        assertThat(result).isEqualTo(DrainResult.NOTHING_LEFT);
    }

    @Test
    void what_was_delivered_before_is_removed_too() {
        var intent = intent("s", "t", 1);
        outbox.holding(intent).answering(intent, new DeliveryOutcome.Delivered(false));

        drain();

        assertThat(outbox.removals).containsExactly(1);
    }

    @Test
    void a_pair_stops_at_a_head_that_is_not_due_and_the_others_go_on() {
        var later = intent("s", "t", 1, NOW + 700, 0);
        var behind = intent("s", "t", 2);
        var other = intent("s", "u", 3);
        outbox.holding(later, behind, other);

        var result = drain();

        assertThat(outbox.delivered).as("order within the pair").containsExactly(other);
        assertThat(result.nextMillis()).isEqualTo(NOW + 700);
        assertThat(result.hasFailed()).isFalse();
    }

    @Test
    void a_parked_head_holds_its_pair_until_its_pause_is_over() {
        outbox.holding(intent("s", "t", 1, 1_000, NOW + 9_000), intent("s", "t", 2));

        var result = drain();

        assertThat(outbox.delivered).isEmpty();
        assertThat(result.nextMillis()).isEqualTo(NOW + 9_000);
    }

    @Test
    void a_passing_failure_is_tried_again_at_once() {
        var intent = intent("s", "t", 1);
        outbox.holding(intent).answering(intent, FAILURE, FAILURE);

        var result = drain();

        assertThat(outbox.delivered).containsExactly(intent);
        assertThat(result).isEqualTo(DrainResult.NOTHING_LEFT);
    }

    @Test
    void a_lasting_failure_stops_its_pair_only_and_writes_nothing() {
        var failing = intent("s", "t", 1);
        var behind = intent("s", "t", 2);
        var other = intent("s", "u", 3);
        outbox.holding(failing, behind, other).answering(failing, FAILURE, FAILURE, FAILURE);

        var result = drain();

        assertThat(outbox.delivered).containsExactly(other);
        assertThat(outbox.parked).as("an outage burns no attempts").isEmpty();
        assertThat(result.hasFailed()).isTrue();
    }

    @Test
    void the_store_says_when_to_come_back() {
        var throttled = intent("s", "t", 1);
        outbox.holding(throttled)
                .answering(throttled, new DeliveryOutcome.Transient("throttled", Duration.ofMillis(300)));

        var result = drain();

        assertThat(result.hasFailed()).isTrue();
        assertThat(result.nextMillis(NOW + 100)).isEqualTo(NOW + 300);
        assertThat(result.nextMillis(NOW + 900))
                .as("a store that throttles on and on is left alone for longer")
                .isEqualTo(NOW + 900);
    }

    @Test
    void poison_is_parked_and_only_its_pair_waits() {
        var poison = intent("s", "t", 1);
        var behind = intent("s", "t", 2);
        var other = intent("s", "u", 3);
        outbox.holding(poison, behind, other).answering(poison, new DeliveryOutcome.Poison("too large"));

        var result = drain();

        assertThat(outbox.delivered).containsExactly(other);
        assertThat(outbox.parked).containsExactly(poison.key() + ": too large");
        assertThat(result.nextMillis()).isBetween(NOW + 500, NOW + 1_000);
    }

    @Test
    void a_source_that_can_not_be_read_is_the_callers_problem() {
        outbox.holding(intent("s", "t", 1)).unreadable(1);

        assertThatThrownBy(() -> drain()).isInstanceOf(ProviderException.class);
        assertThat(outbox.delivered).isEmpty();
    }

    @Test
    void a_source_without_intents_costs_no_write() {
        assertThat(drain()).isEqualTo(DrainResult.NOTHING_LEFT);
        assertThat(outbox.removals).isEmpty();
    }

    @Test
    void what_the_store_refuses_for_the_last_time_is_given_up_and_its_pair_goes_on() {
        var poison = tried(intent("s", "t", 1), 2);
        var next = intent("s", "t", 2);
        outbox.holding(poison, next).answering(poison, new DeliveryOutcome.Poison("too large"));

        var result = drain();

        assertThat(outbox.givenUp).containsExactly(poison.key() + ": refused 3 times, at last: too large");
        assertThat(outbox.parked).isEmpty();
        assertThat(outbox.delivered).containsExactly(next);
        assertThat(failures).hasValue(1);
        assertThat(result).isEqualTo(DrainResult.NOTHING_LEFT);
    }

    @Test
    void an_outage_is_no_attempt_however_often_it_is_met() {
        var intent = tried(intent("s", "t", 1), 2);
        outbox.holding(intent).answering(intent, FAILURE, FAILURE, FAILURE);

        var result = drain();

        assertThat(outbox.givenUp).isEmpty();
        assertThat(result.hasFailed()).isTrue();
    }

    @Test
    void one_that_is_too_old_is_given_up_without_a_try() {
        var old = created(intent("s", "t", 1), NOW - Duration.ofDays(3).toMillis() - 1);
        outbox.holding(old);

        drain();

        assertThat(outbox.delivered).isEmpty();
        assertThat(outbox.givenUp)
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("not delivered within PT72H");
    }

    @Test
    void one_older_than_receipts_is_given_up_as_unknown() {
        var old = created(intent("s", "t", 1), NOW - Duration.ofDays(7).toMillis() - 1);
        outbox.holding(old);

        drain();

        assertThat(outbox.givenUp)
                .singleElement(InstanceOfAssertFactories.STRING)
                .endsWith("unknown");
    }

    @Test
    void what_turns_out_to_be_delivered_is_removed_rather_than_given_up() {
        var poison = tried(intent("s", "t", 1), 9);
        outbox.holding(poison)
                .answering(poison, new DeliveryOutcome.Poison("?"))
                .ending(new FailedIntents.GivingUp.WasDelivered());

        drain();

        assertThat(outbox.removals).containsExactly(1);
        assertThat(failures).hasValue(0);
    }

    @Test
    void a_pair_waits_for_an_intent_that_can_not_be_given_up_now() {
        var poison = tried(intent("s", "t", 1), 9);
        var next = intent("s", "t", 2);
        outbox.holding(poison, next)
                .answering(poison, new DeliveryOutcome.Poison("?"))
                .ending(new FailedIntents.GivingUp.NotNow("the store is away"));

        var result = drain();

        assertThat(outbox.delivered).isEmpty();
        assertThat(result.hasFailed()).isTrue();
    }

    @Test
    void one_past_its_deadline_is_given_up_without_a_try_also_while_it_rests() {
        var late = due(intent("s", "t", 1, 1_000, NOW + 9_000), NOW - 1);
        var next = intent("s", "t", 2);
        outbox.holding(late, next);

        drain();

        assertThat(outbox.givenUp).containsExactly(late.key() + ": " + FailedIntents.EXPIRED);
        assertThat(outbox.delivered).containsExactly(next);
    }

    @Test
    void a_time_that_never_comes_holds_a_pair_no_longer_than_an_intent_may_get_old() {
        var never = intent("s", "t", 1, Long.MAX_VALUE, Long.MAX_VALUE);
        outbox.holding(never);

        assertThat(drain().nextMillis())
                .isEqualTo(never.createdAtMillis() + Duration.ofDays(3).toMillis() + 1);
    }

    @Test
    void what_rust_left_pending_is_claimed_after_a_second_and_delivered_when_nobody_can_be_at_it() {
        var rusts = rusts(intent("s", "t", 1), IntentStatus.PENDING, NOW - 999);
        outbox.holding(rusts);
        assertThat(besideRust.run("s", () -> true).nextMillis())
                .as("Rust first")
                .isEqualTo(NOW + 1);
        outbox.remove("s", List.of(rusts));
        outbox.holding(rusts(intent("s", "t", 1), IntentStatus.PENDING, NOW - 1_100));
        assertThat(besideRust.run("s", () -> true).nextMillis())
                .as("no reconciler has read it: only its writer is waited for")
                .isEqualTo(NOW + 1_900);
        outbox.claimed.clear();
        outbox.remove("s", outbox.undelivered("s", null, List.of()).intents());

        outbox.holding(rusts(intent("s", "t", 1), IntentStatus.PENDING, NOW - 5_000));
        var result = besideRust.run("s", () -> true);

        assertThat(outbox.claimed).containsExactly(rusts.key() + " until " + (NOW + 5_000));
        assertThat(outbox.delivered).isEmpty();
        assertThat(result.nextMillis()).isEqualTo(NOW + 5_000);

        outbox.remove("s", outbox.undelivered("s", null, List.of()).intents());
        outbox.holding(rusts(intent("s", "t", 1), IntentStatus.QUEUED, NOW - 10_000));
        besideRust.run("s", () -> true);
        assertThat(outbox.delivered).hasSize(1);
    }

    @Test
    void all_intents_of_a_pair_that_rust_left_are_claimed_at_once_and_not_one_after_the_other() {
        var first = rusts(intent("s", "t", 1), IntentStatus.PENDING, NOW - 1_200);
        var second = rusts(intent("s", "t", 2), IntentStatus.PENDING, NOW - 1_100);
        var young = rusts(intent("s", "t", 3), IntentStatus.PENDING, NOW - 600);
        outbox.holding(first, second, young);

        var result = besideRust.run("s", () -> true);

        assertThat(outbox.claimed)
                .containsExactly(first.key() + " until " + (NOW + 1_800), second.key() + " until " + (NOW + 1_900));
        assertThat(outbox.delivered).isEmpty();
        assertThat(result.nextMillis())
                .as("the third can be claimed before the first is due")
                .isEqualTo(NOW + 400);
    }

    @Test
    void what_rust_left_behind_one_that_waits_is_claimed_and_stays_in_order() {
        var claimed = rusts(intent("s", "t", 1, NOW + 1_500, 0), IntentStatus.QUEUED, NOW - 1_500);
        var behind = rusts(intent("s", "t", 2), IntentStatus.PENDING, NOW - 1_200);
        outbox.holding(claimed, behind);

        var result = besideRust.run("s", () -> true);

        assertThat(outbox.claimed).containsExactly(behind.key() + " until " + (NOW + 1_800));
        assertThat(outbox.delivered).isEmpty();
        assertThat(result.nextMillis()).isEqualTo(NOW + 1_500);
    }

    @Test
    void beside_rust_nothing_pending_is_given_up_before_it_was_claimed() {
        var poison = tried(intent("s", "t", 1), 9);
        outbox.holding(poison).answering(poison, new DeliveryOutcome.Poison("too large"));

        besideRust.run("s", () -> true);

        assertThat(outbox.givenUp).isEmpty();
        assertThat(outbox.claimed).hasSize(1);
    }

    private static Intent due(Intent intent, long deadline) {
        return changed(
                intent,
                intent.createdAtMillis(),
                intent.attempts(),
                new Difference(IntentStatus.PENDING, true, new Dispatch(null, null, null, deadline, null)));
    }

    private static Intent rusts(Intent intent, IntentStatus status, long createdAtMillis) {
        return changed(intent, createdAtMillis, 0, new Difference(status, false, Dispatch.NONE));
    }

    /** What else a test may want to differ. */
    private record Difference(IntentStatus status, boolean ownForm, Dispatch dispatch) {}

    private static Intent tried(Intent intent, int attempts) {
        return changed(intent, intent.createdAtMillis(), attempts);
    }

    private static Intent created(Intent intent, long createdAtMillis) {
        return changed(intent, createdAtMillis, intent.attempts());
    }

    private static Intent changed(Intent intent, long createdAtMillis, int attempts) {
        return changed(intent, createdAtMillis, attempts, new Difference(IntentStatus.PENDING, true, Dispatch.NONE));
    }

    private static Intent changed(Intent intent, long createdAtMillis, int attempts, Difference other) {
        return new Intent(
                intent.sourceInstance(),
                intent.key(),
                intent.targetInstance(),
                intent.targetDocumentType(),
                intent.payload(),
                other.status(),
                createdAtMillis,
                intent.position(),
                intent.deliverAfterMillis(),
                attempts,
                intent.nextAttemptAtMillis(),
                null,
                null,
                0,
                other.ownForm(),
                intent.etag(),
                0,
                null,
                other.dispatch());
    }
}
