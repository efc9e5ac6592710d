package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TagFilter;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One physical partition of several is throttled, or says nothing: the work of the others is found all the same. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SilentPartitionIT {
    private static final int PARTITIONS = 4;
    private static final int INSTANCES = 16;
    private static final Duration LOCK = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(200);

    private final CountDownLatch ended = new CountDownLatch(1);
    private CosmosEmulator emulator;
    private CosmosStore store;
    private CosmosProvider provider;
    private CosmosProvider writer;

    @BeforeEach
    void open() {
        emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(PARTITIONS));
        var config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "silent", "silent");
        CosmosStore.provision(config);
        store = CosmosStore.open(config);
        provider = CosmosProvider.builder().store(store).reconciler(false).build();
        writer = CosmosProvider.builder().config(config).reconciler(false).build();
    }

    @AfterEach
    void close() {
        ended.countDown();
        emulator.faults().clear();
        writer.close();
        provider.close();
        store.close();
        emulator.close();
    }

    /** The ranges that a search asks. */
    private List<String> ranges() {
        provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null);
        List<String> ranges = emulator.requests()
                .matching(SilentPartitionIT::isSearch)
                .map(LoggedRequest::keyRange)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        assertThat(ranges).hasSize(PARTITIONS);
        return ranges;
    }

    private static boolean isSearch(LoggedRequest request) {
        return request.operation() == RequestKind.QUERY && request.partitionKey() == null;
    }

    private void refuse(String range) {
        emulator.faults().refuse(request -> isSearch(request) && range.equals(request.keyRange()), 0, 429, 3200);
    }

    private void silence(String range) {
        emulator.faults().runBefore(request -> isSearch(request) && range.equals(request.keyRange()), 0, request -> {
            try {
                ended.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private Set<String> foundTurns() {
        Set<String> found = new HashSet<>();
        for (int i = 0; i < INSTANCES; i++) {
            provider.fetchOrchestrationItem(LOCK, POLL, null).ifPresent(turn -> {
                found.add(turn.item().instance());
                provider.ackOrchestrationItem(firstAck(turn));
            });
        }
        return found;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void turns_of_other_partitions_are_found(boolean isRefused) {
        String range = ranges().get(1);
        if (isRefused) {
            refuse(range);
        } else {
            silence(range);
        }
        IntStream.range(0, INSTANCES).forEach(i -> writer.enqueueForOrchestrator(start("order-" + i), null));
        long begunNanos = System.nanoTime();

        Set<String> found = foundTurns();

        // A quarter is in the partition that does not answer, more or less; which was never waited for as a read is.
        assertThat(found).hasSizeBetween(INSTANCES / 2, INSTANCES - 1);
        assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isLessThan(Duration.ofSeconds(30));
        emulator.faults().clear();
        ended.countDown();
        await().until(() -> {
            found.addAll(foundTurns());
            return found.size() == INSTANCES;
        });
    }

    @Test
    void activities_of_other_partitions_are_found() {
        refuse(ranges().get(2));
        IntStream.range(0, INSTANCES).forEach(i -> writer.enqueueForWorker(activity("order-" + i, 1)));

        Set<String> found = IntStream.range(0, INSTANCES)
                .mapToObj(i -> provider.fetchWorkItem(LOCK, POLL, null, TagFilter.any()))
                .flatMap(item -> item.stream())
                .map(item -> item.item().routedInstance())
                .collect(Collectors.toSet());

        assertThat(found).hasSizeBetween(INSTANCES / 2, INSTANCES - 1);
    }

    @Test
    void a_partition_that_does_not_answer_is_asked_less_and_less() {
        String range = ranges().get(0);
        refuse(range);
        emulator.requests().clear();

        // Longer than the rests between searches have to grow.
        assertThat(provider.fetchOrchestrationItem(LOCK, Duration.ofSeconds(6), null))
                .isEmpty();

        long asked = emulator.requests()
                .matching(request -> isSearch(request) && range.equals(request.keyRange()))
                .count();
        long all = emulator.requests().matching(SilentPartitionIT::isSearch).count();
        assertThat(asked).isGreaterThan(0);
        assertThat(all - asked).as("searches of others").isGreaterThan((PARTITIONS - 1) * 5L);
        // Each time for a second, and then left out for 1, 2, 4 s.
        assertThat(asked).isLessThan(40);
    }

    /** However long it would have waited for work. */
    @Test
    void a_fetch_of_a_store_that_answers_nothing_fails_within_the_time_of_a_request() {
        ranges().forEach(this::refuse);
        long begunNanos = System.nanoTime();

        assertThatThrownBy(() -> provider.fetchOrchestrationItem(LOCK, Duration.ofMinutes(5), null))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isTrue())
                .hasMessageContaining("the store is throttling");

        assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isLessThan(Duration.ofSeconds(60));
    }
}
