package io.sluice.relay.delivery;

import static io.sluice.relay.delivery.IntentExamples.intent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.Intent;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.partition.CircuitOpenException;
import io.sluice.relay.partition.CircuitState;
import io.sluice.relay.partition.PartitionCircuits;
import io.sluice.relay.partition.StorePartitions;
import io.sluice.relay.partition.UnavailablePartition;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GuardedOutboxTest {
    private static final DeliveryOutcome AWAY = new DeliveryOutcome.Transient("away", null);
    private static final DeliveryOutcome THROTTLED = new DeliveryOutcome.Transient("slow", Duration.ofMillis(5));
    /** A quarter of the memory for sending holds one intent of a million characters, the whole of it four. */
    private static final RelayMemory MEMORY = RelayMemory.of(200_000_000);

    private final StorePartitions partitions = IntentExamples.partitions(4);
    private final AtomicLong nanos = new AtomicLong();
    private final PartitionCircuits circuits =
            new PartitionCircuits(partitions, MEMORY, Duration.ofMinutes(1), nanos::get);
    private final ScriptedOutbox outbox = new ScriptedOutbox();
    private final GuardedOutbox guarded = new GuardedOutbox(outbox, circuits, MEMORY, (source, slice, first) -> {});
    private final String sick = "sick-0";
    private final String well = IntentExamples.apart(partitions, sick, "well");

    @AfterEach
    void close() {
        partitions.close();
    }

    private Intent to(String target) {
        return intent(well, target, 1);
    }

    private void answer(DeliveryOutcome outcome, int times) {
        outbox.answering(to(sick), Stream.generate(() -> outcome).limit(times).toArray(DeliveryOutcome[]::new));
        for (int i = 0; i < times; i++) {
            guarded.deliver(to(sick));
        }
    }

    private List<UnavailablePartition> sickOnly(boolean throttles) {
        return List.of(new UnavailablePartition(partitions.of(sick), throttles));
    }

    @Test
    void a_partition_that_is_away_stops_what_goes_there_and_nothing_else() {
        answer(AWAY, 5);

        assertThatThrownBy(() -> guarded.deliver(to(sick))).isInstanceOf(CircuitOpenException.class);
        assertThat(guarded.deliver(to(well))).isInstanceOf(DeliveryOutcome.Delivered.class);
        assertThat(circuits.unavailable()).isEqualTo(sickOnly(false));
        assertThat(circuits.worst()).isEqualTo(CircuitState.OPEN);
    }

    @Test
    void the_partition_of_a_source_is_judged_by_what_is_read_and_noted_there() {
        outbox.unreadable(5);
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> guarded.undelivered(sick, null, List.of()))
                    .isNotInstanceOf(CircuitOpenException.class);
        }

        assertThatThrownBy(() -> guarded.remove(sick, List.of())).isInstanceOf(CircuitOpenException.class);
        assertThatThrownBy(() -> guarded.park(intent(sick, well, 1), "refused", 1))
                .isInstanceOf(CircuitOpenException.class);
        assertThat(guarded.undelivered(well, null, List.of()).intents()).isEmpty();
    }

    @Test
    void a_partition_that_refuses_everything_for_ten_seconds_is_named_as_throttled() {
        answer(THROTTLED, 1);
        nanos.addAndGet(Duration.ofSeconds(10).toNanos());
        answer(THROTTLED, 1);
        assertThat(circuits.unavailable()).as("it may be busy").isEmpty();

        nanos.addAndGet(1);

        assertThat(circuits.unavailable()).isEqualTo(sickOnly(true));
        answer(new DeliveryOutcome.Delivered(true), 1);
        assertThat(circuits.unavailable()).isEmpty();
    }

    @Test
    void a_partition_that_nobody_asks_any_more_is_forgotten() {
        answer(AWAY, 5);

        nanos.addAndGet(Duration.ofMinutes(2).toNanos() + 1);

        assertThat(circuits.unavailable()).isEmpty();
        assertThat(circuits.worst()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void large_intents_that_one_partition_does_not_take_leave_memory_to_those_of_others() throws Exception {
        var large = new String(new char[1_000_000]);
        var released = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        outbox.before(intent -> {
            if (intent.targetInstance().equals(sick)) {
                begun.countDown();
                IntentExamples.awaitReleased(released);
            }
        });
        var threads = Executors.newCachedThreadPool();
        try {
            for (int i = 0; i < 8; i++) {
                threads.execute(() -> guarded.deliver(IntentExamples.withPayload(to(sick), large)));
            }
            begun.await();

            assertThat(threads.submit(() -> guarded.deliver(IntentExamples.withPayload(to(well), large)))
                            .get(20, TimeUnit.SECONDS))
                    .isInstanceOf(DeliveryOutcome.Delivered.class);
        } finally {
            released.countDown();
            threads.shutdown();
            assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void problems_name_the_first_partitions_and_count_the_others() {
        var all = KeyRange.cut(16).stream()
                .map(range -> new UnavailablePartition(range, false))
                .toList();

        assertThat(UnavailablePartition.problems(List.of())).isEmpty();
        assertThat(UnavailablePartition.problems(all))
                .singleElement()
                .asString()
                .contains("partitions 00000000-04000000, 04000000-08000000", "and 11 more");
    }

    private static GuardedOutbox guarded(ScriptedOutbox outbox, PartitionCircuits circuits) {
        return new GuardedOutbox(outbox, circuits, RelayMemory.ofHeap(), (source, slice, first) -> {});
    }

    private static PartitionCircuits circuits(Duration delay) {
        return new PartitionCircuits(IntentExamples.onePartition(), RelayMemory.ofHeap(), delay, System::nanoTime);
    }

    @Test
    void a_throttled_store_is_not_away() {
        var circuits = circuits(Duration.ofMinutes(1));
        var throttled = new ScriptedOutbox();
        throttled.answering(to(sick), Stream.generate(() -> THROTTLED).limit(30).toArray(DeliveryOutcome[]::new));
        var guarded = guarded(throttled, circuits);

        for (int i = 0; i < 30; i++) {
            assertThat(guarded.deliver(to(sick))).isEqualTo(THROTTLED);
        }

        assertThat(circuits.worst()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void an_outage_parks_nothing_and_asks_little_and_all_is_delivered_after_it() {
        var circuits = circuits(Duration.ofMillis(50));
        var outbox = new ScriptedOutbox();
        outbox.answering(to(sick), Stream.generate(() -> AWAY).limit(20).toArray(DeliveryOutcome[]::new));
        var guarded = guarded(outbox, circuits);

        await().until(() -> {
            try {
                return guarded.deliver(to(sick)) instanceof DeliveryOutcome.Delivered;
            } catch (CircuitOpenException e) {
                return false;
            }
        });

        assertThat(outbox.parked).isEmpty();
        assertThat(circuits.worst()).isEqualTo(CircuitState.CLOSED);
    }
}
