package io.sluice.relay.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.client.lifecycle.InstanceStatus.Counts;
import io.sluice.client.lifecycle.InstanceStatus.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Lists of very many instances, page by page: what is counted is the states that are read. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class InstanceScanTest {
    private static final int INSTANCES = 200_000;
    private static final int PARTITIONS = 4;
    private static final int LIMIT = 100;

    private final List<Partition> partitions =
            IntStream.range(0, PARTITIONS).mapToObj(Partition::new).toList();

    @Test
    void a_rare_choice_among_many_is_found_whole_with_bounded_work_in_each_request() {
        var found = new ArrayList<String>();
        int requests = 0;
        int mostRead = 0;
        String after = "";
        while (after != null) {
            var page = page(
                    new InteractiveQueries.InstanceFilter(State.FAILED, null, after, LIMIT),
                    InstanceScanTest::noTimePasses);
            requests++;
            mostRead = Math.max(mostRead, takeRead());
            page.instances().forEach(each -> found.add(each.instance()));
            after = page.next();
        }

        assertThat(found)
                .as("each once, in order")
                .isEqualTo(IntStream.range(0, INSTANCES)
                        .filter(Partition::isFailed)
                        .mapToObj(Partition::id)
                        .toList());
        assertThat(mostRead).isLessThanOrEqualTo(InstanceScan.MOST_READ);
        assertThat(requests).isBetween(INSTANCES / InstanceScan.MOST_READ, 2 * INSTANCES / InstanceScan.MOST_READ);
    }

    @Test
    void where_all_are_chosen_each_partition_is_read_up_to_the_limit() {
        var page = page(
                new InteractiveQueries.InstanceFilter(null, null, Partition.id(50_000), LIMIT),
                InstanceScanTest::noTimePasses);

        assertThat(page.instances())
                .extracting(InstanceStatus::instance)
                .isEqualTo(IntStream.range(50_001, 50_001 + LIMIT)
                        .mapToObj(Partition::id)
                        .toList());
        assertThat(page.next()).isEqualTo(Partition.id(50_000 + LIMIT));
        assertThat(takeRead()).as("and the place where it begins").isLessThanOrEqualTo(PARTITIONS * LIMIT + 1);
    }

    @Test
    void the_last_page_has_no_next() {
        var page = page(
                new InteractiveQueries.InstanceFilter(null, null, Partition.id(INSTANCES - 11), LIMIT),
                InstanceScanTest::noTimePasses);

        assertThat(page.instances()).hasSize(10);
        assertThat(page.next()).isNull();
    }

    @Test
    void when_its_time_is_over_a_request_ends_and_comes_on_all_the_same() {
        var clock = new long[1];
        LongSupplier slow = () -> clock[0] += InstanceScan.LONGEST.toNanos();

        var page = page(new InteractiveQueries.InstanceFilter(State.FAILED, null, "", LIMIT), slow);

        assertThat(page.instances()).isEmpty();
        assertThat(page.next()).isEqualTo(Partition.id(0));
        assertThat(takeRead()).as("one of each partition").isEqualTo(PARTITIONS);
    }

    @Test
    void ids_come_in_the_order_of_their_bytes_in_which_they_are_stored() {
        var beyondTheBasicPlane = "order-\ud83d\ude00";
        var before = "order-\uff5e";
        var held = new InteractiveQueries.PartialList<>(
                Set.of(0), List.of(status(beyondTheBasicPlane, State.RUNNING), status(before, State.RUNNING)), null);

        assertThat(InstanceScan.page(held, LIMIT).instances())
                .extracting(InstanceStatus::instance)
                .containsExactly(before, beyondTheBasicPlane);
        assertThat(InstanceScan.nearer(beyondTheBasicPlane, before)).isEqualTo(before);
    }

    private static long noTimePasses() {
        return 0;
    }

    private InteractiveQueries.Page page(InteractiveQueries.InstanceFilter choice, LongSupplier nanoTime) {
        var scan = new InstanceScan(choice, PARTITIONS, PARTITIONS, nanoTime);
        var held = new InteractiveQueries.PartialList<InstanceStatus>(Set.of(), List.of(), null);
        for (var partition : partitions) {
            held = held.with(scan.read(partition.number, partition));
        }
        return InstanceScan.page(held, choice.limit());
    }

    private int takeRead() {
        return partitions.stream().mapToInt(Partition::takeRead).sum();
    }

    private static InstanceStatus status(String id, State state) {
        return new InstanceStatus(
                id,
                id,
                "Order",
                "1.0.0",
                state,
                1,
                null,
                id,
                null,
                null,
                null,
                null,
                Instant.EPOCH,
                Counts.NONE,
                Counts.NONE);
    }

    /** A partition's share of the instances, made when they are read; one in 2 003 has failed. */
    private static final class Partition implements ReadOnlyKeyValueStore<String, InstanceState> {
        private final int number;
        private int read;

        Partition(int number) {
            this.number = number;
        }

        static String id(int instance) {
            return "order-%07d".formatted(instance);
        }

        static boolean isFailed(int instance) {
            return instance % 2_003 == 7;
        }

        int takeRead() {
            int taken = read;
            read = 0;
            return taken;
        }

        @Override
        public KeyValueIterator<String, InstanceState> range(@Nullable String from, @Nullable String to) {
            int first = from == null || from.isEmpty() ? 0 : Integer.parseInt(from.substring("order-".length()));
            return new States(first + Math.floorMod(number - first, PARTITIONS));
        }

        @Override
        public KeyValueIterator<String, InstanceState> all() {
            return range(null, null);
        }

        @Override
        public InstanceState get(String key) {
            throw new AssertionError("a scan asks for no single state");
        }

        @Override
        public long approximateNumEntries() {
            return INSTANCES / PARTITIONS;
        }

        private final class States implements KeyValueIterator<String, InstanceState> {
            private int next;

            States(int first) {
                this.next = first;
            }

            @Override
            public boolean hasNext() {
                return next < INSTANCES;
            }

            @Override
            public KeyValue<String, InstanceState> next() {
                int instance = next;
                next += PARTITIONS;
                read++;
                var status = status(id(instance), isFailed(instance) ? State.FAILED : State.RUNNING);
                return KeyValue.pair(
                        status.instance(), new InstanceState(status, 0L, "any", 0, false, Map.of(), Map.of(), null));
            }

            @Override
            public String peekNextKey() {
                return id(next);
            }

            @Override
            public void close() {}
        }
    }
}
