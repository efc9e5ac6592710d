package io.sluice.relay.delivery;

import static io.sluice.relay.delivery.IntentExamples.intent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.outbox.Intent;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.loop.RetryBackoff;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Sources with more intents than are settled in one go. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LongSourceTest {
    private static final long NOW = 5_000;

    private final ScriptedOutbox outbox = new ScriptedOutbox();
    private final InstantSource clock = InstantSource.fixed(Instant.ofEpochMilli(NOW));
    private final AtomicInteger asked = new AtomicInteger();
    private final SourceDrain drain = new SourceDrain(
            outbox,
            IntentExamples.inline(
                    new IntentStep(
                            outbox,
                            new DeliveryPolicy(3, Duration.ofDays(3), false),
                            new RetryBackoff(Duration.ofSeconds(1), Duration.ofMinutes(1), new SplittableRandom(1)),
                            new DeliveryCounters(millis -> {}, () -> {}),
                            clock),
                    clock),
            RelayMemory.ofHeap(),
            clock);

    private DrainResult drain() {
        return drain.run("s", () -> asked.incrementAndGet() > 0);
    }

    private static List<Intent> pair(String target, int from, int count) {
        return IntStream.range(from, from + count)
                .mapToObj(position -> intent("s", target, position))
                .toList();
    }

    private ScriptedOutbox holding(List<Intent> intents) {
        return outbox.holding(intents.toArray(Intent[]::new));
    }

    @Test
    void a_long_pair_is_removed_round_by_round_in_its_order() {
        var pair = pair("t", 1, 250);
        holding(pair);

        assertThat(drain()).isEqualTo(DrainResult.NOTHING_LEFT);

        assertThat(outbox.removals).containsExactly(100, 100, 50);
        assertThat(outbox.delivered).containsExactlyElementsOf(pair);
        assertThat(asked).as("a sign of life after every round").hasValue(3);
    }

    @Test
    void a_process_that_dies_leaves_no_more_than_a_round_to_its_successor() {
        holding(pair("t", 1, 250)).before(intent -> {
            if (intent.position() == 151) {
                throw new OutOfMemoryError("the end");
            }
        });

        assertThatThrownBy(this::drain).hasRootCauseMessage("the end");

        assertThat(outbox.removals).containsExactly(100);
    }

    @Test
    void what_was_delivered_is_removed_also_when_another_pair_fails() {
        holding(pair("t", 1, 3)).holding(intent("s", "u", 4)).before(intent -> {
            if (intent.targetInstance().equals("u")) {
                throw new IllegalStateException("nobody planned this");
            }
        });

        assertThatThrownBy(this::drain).hasRootCauseMessage("nobody planned this");

        assertThat(outbox.removals).containsExactly(3);
    }

    @Test
    void slice_by_slice_each_pair_keeps_its_order_and_one_that_waits_is_passed_over_to_the_end() {
        holding(List.of(intent("s", "t", 1, 1_000, NOW + 9_000)));
        holding(pair("t", 2, 30));
        holding(pair("u", 32, 15));
        holding(pair("t", 47, 15));
        holding(pair("u", 62, 15));
        outbox.inSlicesOf(10);

        var result = drain();

        assertThat(outbox.delivered)
                .extracting(Intent::position)
                .containsExactlyElementsOf(IntStream.concat(IntStream.range(32, 47), IntStream.range(62, 77))
                        .boxed()
                        .toList());
        assertThat(result).isEqualTo(DrainResult.dueAt(NOW + 9_000));
    }

    @Test
    void what_stands_behind_a_pair_that_waits_is_not_read_at_every_look() {
        holding(List.of(intent("s", "t", 1, 1_000, NOW + 9_000)));
        holding(pair("t", 2, 5_000));
        holding(pair("u", 5_002, 10));
        outbox.inSlicesOf(200);

        var first = drain();
        var second = drain();

        assertThat(outbox.delivered).hasSize(10);
        assertThat(List.of(first, second)).containsOnly(DrainResult.dueAt(NOW + 9_000));
        assertThat(outbox.read()).isLessThanOrEqualTo(200 + 10 + 200);
    }

    @Test
    void a_look_that_is_to_end_ends_with_its_round_and_the_rest_is_due_at_once() {
        holding(pair("t", 1, 150));

        var result = drain.run("s", () -> false);

        assertThat(outbox.removals).containsExactly(100);
        assertThat(result).isEqualTo(DrainResult.dueAt(NOW));
    }

    @Test
    void a_source_with_very_many_leaves_others_their_turn() {
        holding(pair("t", 1, 1_500)).inSlicesOf(200);

        var first = drain();
        var second = drain();

        assertThat(first).isEqualTo(DrainResult.dueAt(NOW));
        assertThat(second).isEqualTo(DrainResult.NOTHING_LEFT);
        assertThat(outbox.delivered)
                .extracting(Intent::position)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 1_500).boxed().toList());
    }
}
