package io.sluice.relay.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.relay.delivery.PairThreads.Pace;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.partition.PartitionPlaces;
import io.sluice.relay.partition.StorePartitions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PairExecutorTest {
    private static final int THREADS = 8;

    private final StorePartitions partitions = IntentExamples.partitions(4);
    private final PairExecutor pairs =
            new PairExecutor(new PartitionPlaces(partitions, THREADS), Duration.ofSeconds(10));
    private final String slow = "slow-0";
    private final String other = IntentExamples.apart(partitions, slow, "other");
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger held = new AtomicInteger();

    @AfterEach
    void close() {
        released.countDown();
        pairs.close();
        partitions.close();
    }

    private void hold() {
        held.incrementAndGet();
        IntentExamples.awaitReleased(released);
    }

    @Test
    void what_one_partition_does_not_answer_holds_a_quarter_of_the_threads() throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            pairs.forNew().run(slow, this::hold);
        }
        var done = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            pairs.forBacklog().run(other, done::countDown);
        }

        done.await();
        assertThat(held).hasValue(2);

        released.countDown();
        await().until(() -> held.get() == 100);
    }

    @Test
    void a_partition_is_slow_by_one_thread_that_does_not_end_and_stuck_by_all() {
        pairs.forNew().run(slow, this::hold);
        assertThat(pairs.forNew().pace(slow)).isEqualTo(Pace.GOOD);
        await().until(() -> pairs.forBacklog().pace(slow) == Pace.SLOW);
        pairs.forNew().run(slow, this::hold);
        assertThat(pairs.forNew().pace(slow)).isEqualTo(Pace.SLOW);

        await().until(() -> pairs.forBacklog().pace(slow) == Pace.STUCK);
        assertThat(pairs.forNew().pace(other)).isEqualTo(Pace.GOOD);

        released.countDown();
        await().until(() -> pairs.forNew().pace(slow) == Pace.GOOD);
    }

    @Test
    void new_pairs_of_a_partition_come_before_those_of_the_backlog() {
        var order = Collections.synchronizedList(new ArrayList<String>());
        pairs.forNew().run(slow, this::hold);
        pairs.forNew().run(slow, this::hold);
        pairs.forBacklog().run(slow, () -> order.add("backlog"));
        pairs.forNew().run(slow, () -> order.add("first"));
        pairs.forNew().run(slow, () -> order.add("second"));

        assertThat(order).isEmpty();
        released.countDown();

        await().until(() -> order.size() == 3);
        assertThat(order.indexOf("backlog"))
                .as("two threads may swap neighbours")
                .isPositive();
    }

    @Test
    void what_waits_for_a_partition_that_was_split_goes_on_in_the_part_that_is_well() {
        var ranges = new AtomicReference<>(KeyRange.cut(2));
        try (var splitting = new StorePartitions(ranges::get, Duration.ofSeconds(5));
                var few = new PairExecutor(new PartitionPlaces(splitting, 4), Duration.ofSeconds(10))) {
            splitting.start();
            await().until(() -> splitting.count() == 2);
            var targets = IntentExamples.together(splitting, "t", 40);
            var sick = partitions.of(targets.get(0));
            ranges.set(KeyRange.cut(4));
            var done = new AtomicInteger();
            few.forNew().run(targets.get(0), this::hold);
            few.forNew().run(targets.get(0), this::hold);
            var well = targets.stream()
                    .filter(target -> !partitions.of(target).equals(sick))
                    .toList();

            well.forEach(target -> few.forNew().run(target, done::incrementAndGet));

            await().until(() -> few.forNew().pace(targets.get(0)) == Pace.STUCK);
            await().until(() -> {
                few.forNew().pace(targets.get(0));
                return done.get() == well.size();
            });
            released.countDown();
        }
    }

    @Test
    void a_work_that_fails_gives_its_thread_back() throws InterruptedException {
        for (int i = 0; i < 20; i++) {
            pairs.forNew().run(slow, () -> {
                throw new IllegalStateException("broken");
            });
        }
        var done = new CountDownLatch(1);
        pairs.forNew().run(slow, done::countDown);

        done.await();
    }

    @Test
    void a_store_of_few_partitions_gives_each_more() {
        assertThat(new PartitionPlaces(IntentExamples.onePartition(), 16).most())
                .isEqualTo(16);
        assertThat(List.of(2, 3, 4, 16))
                .extracting(count -> {
                    try (var some = IntentExamples.partitions(count)) {
                        return new PartitionPlaces(some, 16).most();
                    }
                })
                .containsExactly(8, 6, 4, 4);
        assertThat(new PartitionPlaces(partitions, 1).most()).isEqualTo(1);
    }
}
