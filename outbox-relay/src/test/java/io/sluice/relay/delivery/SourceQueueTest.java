package io.sluice.relay.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.partition.PartitionPlaces;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A source that was lost would be waited for without end. */
@Timeout(30)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SourceQueueTest {
    private static final long NOW = 1_000;

    private final SourceQueue queue = queue(SourceQueue.Limits.NONE);

    private static SourceQueue queue(SourceQueue.Limits limits) {
        var places = new PartitionPlaces(IntentExamples.onePartition(), Integer.MAX_VALUE);
        return new SourceQueue(InstantSource.fixed(Instant.ofEpochMilli(NOW)), places, limits);
    }

    private SourceQueue.Taken take() throws InterruptedException {
        return Objects.requireNonNull(queue.take());
    }

    @Test
    void sources_are_taken_by_their_time() throws InterruptedException {
        queue.add("second", NOW - 1);
        queue.add("first", NOW - 2);

        assertThat(take().source()).isEqualTo("first");
        assertThat(take().source()).isEqualTo("second");
    }

    @Test
    void asking_twice_makes_one_look() throws InterruptedException {
        queue.add("source", NOW);
        queue.add("source", NOW - 1);

        queue.giveBack(take(), SourceQueue.NEVER, false);

        assertThat(queue.size()).isZero();
    }

    @Test
    void asking_while_a_source_is_in_hand_makes_another_look() throws InterruptedException {
        queue.add("source", NOW);
        var look = take();

        queue.add("source", NOW);
        queue.giveBack(look, SourceQueue.NEVER, false);

        assertThat(take().source())
                .as("the intent may have come after the query")
                .isEqualTo("source");
    }

    @Test
    void a_source_is_in_one_pair_of_hands() throws InterruptedException {
        queue.add("source", NOW);
        take();
        queue.add("source", NOW);
        queue.add("other", NOW);

        assertThat(take().source()).isEqualTo("other");
    }

    @Test
    void failures_are_counted_until_a_drain_succeeds() throws InterruptedException {
        queue.add("source", NOW);
        var first = take();
        queue.giveBack(first, NOW, true);
        var second = take();
        queue.giveBack(second, NOW, true);
        var third = take();
        queue.giveBack(third, NOW, false);
        var fourth = take();

        assertThat(List.of(first.failures(), second.failures(), third.failures(), fourth.failures()))
                .containsExactly(0, 1, 2, 0);
    }

    @Test
    void sources_with_new_intents_go_before_the_backlog_which_is_not_forgotten() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            queue.addBacklog("old-" + i, NOW - 9_000);
        }
        for (int i = 10; i < 30; i++) {
            queue.add("new-" + i, NOW - i);
        }

        var taken = new ArrayList<String>();
        for (int i = 0; i < 20; i++) {
            taken.add(take().source());
        }

        assertThat(taken.subList(0, 8)).allMatch(source -> source.startsWith("new"));
        assertThat(taken).filteredOn(source -> source.startsWith("old")).hasSize(2);
    }

    @Test
    void the_backlog_never_takes_all_hands() throws InterruptedException {
        var limited = queue(new SourceQueue.Limits(2, 100, 100));
        for (int i = 0; i < 3; i++) {
            limited.addBacklog("old-" + i, NOW - 3 + i);
        }
        var first = Objects.requireNonNull(limited.take());
        limited.take();
        limited.add("new", NOW);

        assertThat(limited.take()).extracting(SourceQueue.Taken::source).isEqualTo("new");
        limited.giveBack(first, SourceQueue.NEVER, false);
        assertThat(limited.take()).extracting(SourceQueue.Taken::source).isEqualTo("old-2");
    }

    @Test
    void a_source_of_the_backlog_with_a_new_intent_goes_first() throws InterruptedException {
        queue.addBacklog("old", NOW - 2);
        queue.addBacklog("risen", NOW - 1);
        queue.add("risen", NOW);

        assertThat(take()).returns("risen", SourceQueue.Taken::source).returns(false, SourceQueue.Taken::ofBacklog);
        assertThat(take()).returns("old", SourceQueue.Taken::source).returns(true, SourceQueue.Taken::ofBacklog);
    }

    @Test
    void what_a_long_look_leaves_over_is_backlog() throws InterruptedException {
        queue.add("long", NOW - 1);
        queue.giveBack(take(), NOW, false);
        queue.add("new", NOW);

        assertThat(take().source()).isEqualTo("new");
        assertThat(take()).returns("long", SourceQueue.Taken::source).returns(true, SourceQueue.Taken::ofBacklog);
    }

    private static SourceQueue withRoomFor(int waiting) {
        return queue(new SourceQueue.Limits(100, waiting, 100));
    }

    @Test
    void a_finder_of_backlog_waits_until_it_is_worked_off() throws InterruptedException {
        var limited = withRoomFor(1);
        limited.addBacklog("old", NOW);

        assertThat(limited.hasBacklogRoom()).isFalse();
        limited.take();
        assertThat(limited.hasBacklogRoom()).isTrue();
    }

    @Test
    void a_full_backlog_leaves_what_has_to_wait_long_to_the_sweep() throws InterruptedException {
        var limited = withRoomFor(1);
        limited.addBacklog("soon", NOW - 1);
        limited.addBacklog("late", NOW - 1);
        var looks = List.of(Objects.requireNonNull(limited.take()), Objects.requireNonNull(limited.take()));

        looks.forEach(look -> limited.giveBack(look, NOW + (look.source().equals("soon") ? 5_000 : 60_000), false));

        assertThat(limited.size()).isEqualTo(1);
    }

    @Test
    void a_full_backlog_keeps_what_somebody_has_asked_for() throws InterruptedException {
        var limited = withRoomFor(0);
        limited.addBacklog("asked for", NOW);
        var look = Objects.requireNonNull(limited.take());
        limited.addBacklog("asked for", NOW);

        limited.giveBack(look, NOW + 60_000, true);

        assertThat(limited.size()).isEqualTo(1);
    }

    @Test
    void failing_sources_with_new_intents_take_bounded_memory_and_no_room_from_those_that_are_due()
            throws InterruptedException {
        var limited = queue(new SourceQueue.Limits(100, 100, 10));
        for (int i = 0; i < 1_000; i++) {
            limited.add("source-" + i, NOW);
            limited.giveBack(Objects.requireNonNull(limited.take()), NOW + 60_000, true);
        }

        assertThat(limited.size()).isEqualTo(10);
        limited.add("due", NOW);
        assertThat(limited.take()).extracting(SourceQueue.Taken::source).isEqualTo("due");
    }

    @Test
    void sources_that_nobody_works_off_are_forgotten_and_who_adds_them_is_told() {
        var limited = queue(new SourceQueue.Limits(100, 100, 10));
        for (int i = 0; i < 1_000; i++) {
            limited.add("source-" + i, NOW);
            limited.add("later-" + i, NOW + 1);
        }

        assertThat(limited.add("one more", NOW)).isFalse();
        assertThat(limited.add("source-0", NOW)).as("it is there").isTrue();
        assertThat(limited.size()).isEqualTo(20);
    }

    @Test
    void a_source_that_is_asked_for_again_and_again_is_queued_once_or_so() throws InterruptedException {
        for (int i = 0; i < 10_000; i++) {
            queue.add("source", NOW);
            queue.giveBack(take(), NOW + 60_000, true);
        }

        assertThat(queue.queued()).isLessThan(2_000);
    }

    @Test
    void sources_of_one_partition_take_its_share_of_the_workers_and_the_others_of_it_wait_in_order()
            throws InterruptedException {
        try (var partitions = IntentExamples.partitions(4)) {
            var limited = new SourceQueue(
                    InstantSource.fixed(Instant.ofEpochMilli(NOW)),
                    new PartitionPlaces(partitions, 8),
                    SourceQueue.Limits.NONE);
            var slow = IntentExamples.together(partitions, "slow", 4);
            var other = IntentExamples.apart(partitions, slow.get(0), "other");
            for (int i = 0; i < 4; i++) {
                limited.add(slow.get(i), NOW - 10 + i);
            }
            limited.add(other, NOW);

            var first = Objects.requireNonNull(limited.take());
            var second = Objects.requireNonNull(limited.take());
            assertThat(List.of(first.source(), second.source())).isEqualTo(slow.subList(0, 2));
            assertThat(limited.take()).extracting(SourceQueue.Taken::source).isEqualTo(other);

            limited.giveBack(second, SourceQueue.NEVER, false);
            var third = Objects.requireNonNull(limited.take());
            assertThat(third.source()).isEqualTo(slow.get(2));
            limited.giveBack(first, NOW, false);
            limited.giveBack(third, SourceQueue.NEVER, false);
            assertThat(limited.take()).extracting(SourceQueue.Taken::source).isEqualTo(slow.get(3));
            assertThat(limited.take())
                    .as("it is due again")
                    .extracting(SourceQueue.Taken::source)
                    .isEqualTo(slow.get(0));
        }
    }

    @Test
    void sources_of_a_backlog_that_wait_for_one_partition_leave_room_for_the_others() throws InterruptedException {
        try (var partitions = IntentExamples.partitions(4)) {
            var limited = new SourceQueue(
                    InstantSource.fixed(Instant.ofEpochMilli(NOW)),
                    new PartitionPlaces(partitions, 4),
                    new SourceQueue.Limits(4, 100, 10_000));
            var slow = IntentExamples.together(partitions, "slow", 1_000);
            var other = IntentExamples.apart(partitions, slow.get(0), "other");
            slow.forEach(source -> limited.addBacklog(source, NOW - 1));
            limited.addBacklog(other, NOW);
            limited.take();
            assertThat(limited.hasBacklogRoom()).isFalse();

            assertThat(limited.take()).extracting(SourceQueue.Taken::source).isEqualTo(other);

            assertThat(limited.hasBacklogRoom())
                    .as("the sweep finds the others again")
                    .isTrue();
            assertThat(limited.size()).isLessThan(300);
        }
    }

    @Test
    void a_closed_queue_hands_out_nothing() throws InterruptedException {
        queue.add("source", NOW);

        queue.close();

        assertThat(queue.take()).isNull();
    }
}
