package io.sluice.relay.delivery;

import static io.sluice.relay.delivery.Intents.intent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.ProviderException;
import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.relay.ops.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SourceVisitTest {
    private static final long NOW = 5_000;
    private static final DeliveryOutcome TROUBLE = new DeliveryOutcome.Transient("lost connection", null);

    private final ScriptedOutbox outbox = new ScriptedOutbox();
    private final InstantSource clock = InstantSource.fixed(Instant.ofEpochMilli(NOW));
    private final SourceVisit visit = new SourceVisit(
            outbox,
            Runnable::run,
            new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1), new SplittableRandom(1)),
            clock,
            new DeliveryFigures());

    @Test
    void everything_due_is_delivered_in_order_and_removed_in_one_batch() {
        var first = intent("s", "t", 1);
        var second = intent("s", "t", 2);
        var other = intent("s", "u", 3);
        outbox.holding(second, other, first);

        var result = visit.of("s");

        assertThat(outbox.delivered).containsSubsequence(first, second).contains(other);
        assertThat(outbox.removals).as("one batch for all pairs").containsExactly(3);
        assertThat(result).isEqualTo(SourceVisit.Result.NOTHING_LEFT);
    }

    @Test
    void what_was_delivered_before_is_removed_too() {
        var intent = intent("s", "t", 1);
        outbox.holding(intent).answering(intent, new DeliveryOutcome.Delivered(false));

        visit.of("s");

        assertThat(outbox.removals).containsExactly(1);
    }

    @Test
    void a_pair_stops_at_a_head_that_is_not_due_and_the_others_go_on() {
        var later = intent("s", "t", 1, NOW + 700, 0);
        var behind = intent("s", "t", 2);
        var other = intent("s", "u", 3);
        outbox.holding(later, behind, other);

        var result = visit.of("s");

        assertThat(outbox.delivered).as("order within the pair").containsExactly(other);
        assertThat(result.nextMillis()).isEqualTo(NOW + 700);
        assertThat(result.inTrouble()).isFalse();
    }

    @Test
    void a_parked_head_holds_its_pair_until_its_pause_is_over() {
        outbox.holding(intent("s", "t", 1, 1_000, NOW + 9_000), intent("s", "t", 2));

        var result = visit.of("s");

        assertThat(outbox.delivered).isEmpty();
        assertThat(result.nextMillis()).isEqualTo(NOW + 9_000);
    }

    @Test
    void passing_trouble_is_tried_again_at_once() {
        var intent = intent("s", "t", 1);
        outbox.holding(intent).answering(intent, TROUBLE, TROUBLE);

        var result = visit.of("s");

        assertThat(outbox.delivered).containsExactly(intent);
        assertThat(result).isEqualTo(SourceVisit.Result.NOTHING_LEFT);
    }

    @Test
    void lasting_trouble_stops_its_pair_only_and_writes_nothing() {
        var troubled = intent("s", "t", 1);
        var behind = intent("s", "t", 2);
        var other = intent("s", "u", 3);
        outbox.holding(troubled, behind, other).answering(troubled, TROUBLE, TROUBLE, TROUBLE);

        var result = visit.of("s");

        assertThat(outbox.delivered).containsExactly(other);
        assertThat(outbox.parked).as("an outage burns no attempts").isEmpty();
        assertThat(result.inTrouble()).isTrue();
    }

    @Test
    void the_store_says_when_to_come_back() {
        var throttled = intent("s", "t", 1);
        outbox.holding(throttled)
                .answering(throttled, new DeliveryOutcome.Transient("throttled", Duration.ofMillis(300)));

        var result = visit.of("s");

        assertThat(result.nextMillis()).isEqualTo(NOW + 300);
    }

    @Test
    void poison_is_parked_and_only_its_pair_waits() {
        var poison = intent("s", "t", 1);
        var behind = intent("s", "t", 2);
        var other = intent("s", "u", 3);
        outbox.holding(poison, behind, other).answering(poison, new DeliveryOutcome.Poison("too large"));

        var result = visit.of("s");

        assertThat(outbox.delivered).containsExactly(other);
        assertThat(outbox.parked).containsExactly(poison.key() + ": too large");
        assertThat(result.nextMillis()).isBetween(NOW + 500, NOW + 1_000);
    }

    @Test
    void a_source_that_can_not_be_read_is_the_callers_trouble() {
        outbox.holding(intent("s", "t", 1)).unreadable(1);

        assertThatThrownBy(() -> visit.of("s")).isInstanceOf(ProviderException.class);
        assertThat(outbox.delivered).isEmpty();
    }

    @Test
    void a_source_without_intents_costs_no_write() {
        assertThat(visit.of("s")).isEqualTo(SourceVisit.Result.NOTHING_LEFT);
        assertThat(outbox.removals).isEmpty();
    }
}
