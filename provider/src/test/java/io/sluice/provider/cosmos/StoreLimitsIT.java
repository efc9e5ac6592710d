package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.ProviderException;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.Instant;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a process that shares a store with others can be limited to. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StoreLimitsIT {
    private static final int A_SECOND = 200;
    private static final int AT_ONCE = 4;

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private CosmosStore store;

    @BeforeEach
    void open() {
        account.requireEmulator();
        store = fixture.store();
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void what_a_process_asks_for_takes_no_more_than_its_limit_and_is_done_in_the_end() {
        store.limitRequestUnits(A_SECOND);
        CosmosProvider provider = CosmosProvider.builder().store(store).build();
        fixture.emulator().requests().clear();
        long beganNanos = System.nanoTime();

        for (int i = 0; i < 12; i++) {
            provider.enqueueForOrchestrator(start("order-" + i), null);
            provider.ackOrchestrationItem(firstAck(takeTurn(provider)));
        }

        double seconds = Duration.ofNanos(System.nanoTime() - beganNanos).toMillis() / 1_000.0;
        double taken = fixture.dataRequests().stream()
                .mapToDouble(LoggedRequest::requestCharge)
                .sum();
        assertThat(taken).isGreaterThan(2.5 * A_SECOND);
        // The first second's are there at once; the last request may have cost more than was left.
        assertThat(taken).isLessThan((seconds + 2) * A_SECOND);
        assertThat(seconds).isGreaterThan(1);
    }

    @Test
    void a_store_has_one_limit() {
        store.limitRequestUnits(A_SECOND);

        assertThatThrownBy(() -> store.limitRequestUnits(A_SECOND))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the store has a limit already");
    }

    @Test
    void scans_have_one_group() {
        store.groupScans("lists");

        assertThatThrownBy(() -> store.groupScans("sweeps"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("scans have low priority, or a group, already");
    }

    @Test
    void a_limit_of_no_requests_at_once_is_refused() {
        assertThatThrownBy(() -> store.limitRequestsAtOnce(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("most must be 1 or more, was 0");
    }

    @Test
    void a_limit_of_nothing_is_refused() {
        assertThatThrownBy(() -> store.limitRequestUnits(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("perSecond must be 1 or more, was 0");
    }

    @Test
    void no_more_requests_are_under_way_at_once_than_are_allowed() {
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(2 * AT_ONCE))) {
            var config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "limits", "limits");
            CosmosStore.provision(config);
            try (CosmosStore limited = CosmosStore.open(config)) {
                limited.limitRequestsAtOnce(AT_ONCE);
                try (var provider = CosmosProvider.builder().store(limited).build()) {
                    emulator.faults().delay(StoreFixture::isData, 0, Duration.ofMillis(20));

                    CompletableFuture.allOf(IntStream.range(0, 4 * AT_ONCE)
                                    .mapToObj(i ->
                                            CompletableFuture.runAsync(() -> turn(provider, "order-" + i), threads))
                                    .toArray(CompletableFuture[]::new))
                            .join();
                }
            }
            assertThat(mostAtOnce(emulator.requests().matching(StoreFixture::isData)))
                    .isEqualTo(AT_ONCE);
        }
    }

    private static void turn(CosmosProvider provider, String instance) {
        provider.enqueueForOrchestrator(start(instance), null);
        provider.ackOrchestrationItem(firstAck(takeTurn(provider)));
    }

    private static int mostAtOnce(Stream<LoggedRequest> requests) {
        NavigableMap<Instant, Integer> changes = new TreeMap<>();
        requests.forEach(request -> {
            changes.merge(request.at(), 1, Integer::sum);
            changes.merge(request.at().plus(request.took()), -1, Integer::sum);
        });
        int underWay = 0;
        int most = 0;
        for (int change : changes.values()) {
            underWay += change;
            most = Math.max(most, underWay);
        }
        return most;
    }

    @Test
    void what_has_to_wait_longer_than_its_operation_has_patience_says_why() throws Exception {
        store.limitRequestsAtOnce(1);
        CosmosProvider provider = CosmosProvider.builder()
                .store(store)
                .reconciler(false)
                .enqueueTimeout(Duration.ofSeconds(1))
                .build();
        var arrived = new CountDownLatch(1);
        var released = new CountDownLatch(1);
        fixture.emulator().faults().runBefore(StoreFixture::isBatch, 1, request -> {
            arrived.countDown();
            await(released);
        });
        var first = CompletableFuture.runAsync(() -> provider.enqueueForOrchestrator(start("order-1"), null), threads);
        await(arrived);

        assertThatThrownBy(() -> provider.enqueueForOrchestrator(start("order-2"), null))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isTrue())
                .hasMessageContaining("this process has 1 requests under way, its limit, and none of them ended");
        released.countDown();
        first.get();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void scans_ask_with_low_priority_and_nothing_else_does() {
        store.lowerPriorityOfScans();
        CosmosProvider provider = CosmosProvider.builder().store(store).build();
        fixture.emulator().requests().clear();
        provider.enqueueForOrchestrator(start("order-1"), null);
        provider.ackOrchestrationItem(firstAck(takeTurn(provider)));

        provider.cleanupOrphanedSessions(Duration.ofHours(1));
        new StoreSweep(store).finishDeletions();

        assertThat(fixture.dataRequests())
                .allSatisfy(request -> assertThat(request.priority()).isEqualTo(isScan(request) ? "Low" : ""));
        assertThat(fixture.dataRequests()).anyMatch(StoreLimitsIT::isScan);
    }

    private static boolean isScan(LoggedRequest request) {
        return request.operation() == RequestKind.QUERY
                && request.partitionKey() == null
                && !request.body().contains("_queue'");
    }
}
