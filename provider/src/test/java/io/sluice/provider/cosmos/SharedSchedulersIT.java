package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.started;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.slot.SlotSettings;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.SqlQuery;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Callers may hold every thread of the schedulers that Reactor shares: no wait of the provider needs one of them. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SharedSchedulersIT {
    private static final String SLOTS = "[\"__leases__:dispatch\"]";

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch held = new CountDownLatch(1);
    private CosmosEmulator emulator;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
    }

    @AfterEach
    void letGo() {
        held.countDown();
        threads.shutdownNow();
    }

    @Test
    void an_ack_delivers_to_several_targets_though_the_elastic_threads_are_all_held() throws Exception {
        CosmosProvider provider = fixture.provider();
        provider.enqueueForOrchestrator(start("parent"), null);
        LockedTurn turn = takeTurn(provider);
        hold(Schedulers.boundedElastic(), Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE);

        ack(provider, turn, children(4)).get(60, TimeUnit.SECONDS);

        assertThat(provider.read("parent")).containsExactly(started("parent"));
        assertThat(new IntentOutbox(fixture.store().container(), InstantSource.system()).undelivered("parent"))
                .isEmpty();
    }

    @Test
    void a_renewal_of_slots_runs_though_the_elastic_threads_are_all_held() {
        CosmosProvider provider = fixture.provider(
                CosmosProvider.builder().reconciler(false).slotSettings(SlotSettings.DEFAULT.atOnce()));
        hold(Schedulers.boundedElastic(), Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE);

        provider.fetchOrchestrationItem(LOCK, NO_WAIT, null);

        await().atMost(Duration.ofSeconds(60))
                .until(() ->
                        emulator.requests().all().stream().anyMatch(request -> SLOTS.equals(request.partitionKey())));
    }

    @Test
    void a_read_without_an_answer_fails_though_the_threads_of_timers_are_all_held() {
        ContainerRequests requests = new ContainerRequests(fixture.store().container());
        Call call = Call.onInstance("read", "order-1", Duration.ofSeconds(1));
        SqlQuery query = SqlQuery.of("SELECT * FROM c");
        requests.query(call, "order-1", query);
        try (HeldRequest unanswered = HeldRequest.of(emulator, request -> request.operation() == RequestKind.QUERY)) {
            hold(Schedulers.parallel(), Schedulers.DEFAULT_POOL_SIZE);

            Future<?> read = threads.submit(() -> requests.query(call.again(), "order-1", query));

            unanswered.awaitHeld();
            assertThatThrownBy(() -> read.get(120, TimeUnit.SECONDS))
                    .as("a page is waited for 10 s, and this read tried for 1 s")
                    .hasCauseInstanceOf(ProviderException.class)
                    .hasMessageContaining("outcome is unknown");
        }
    }

    @Test
    void an_ack_returns_as_committed_when_its_time_for_deliveries_is_over() throws Exception {
        CosmosProvider provider =
                fixture.provider(CosmosProvider.builder().reconciler(false).deliveryTimeout(Duration.ofMillis(200)));
        provider.enqueueForOrchestrator(start("parent"), null);
        LockedTurn turn = takeTurn(provider);
        FaultRule slow = emulator.faults().delay(SharedSchedulersIT::isDelivery, 0, Duration.ofSeconds(2));

        ack(provider, turn, children(40)).get(60, TimeUnit.SECONDS);

        assertThat(provider.read("parent")).containsExactly(started("parent"));
        assertThat(slow.hits())
                .as("to 8 targets at one time, and to no more later")
                .isBetween(1, 8);
        IntentOutbox outbox = new IntentOutbox(fixture.store().container(), InstantSource.system());
        assertThat(outbox.undelivered("parent"))
                .as("what a reconciler delivers")
                .hasSizeGreaterThanOrEqualTo(32);
    }

    private Future<?> ack(CosmosProvider provider, LockedTurn turn, List<WorkItem> items) {
        return threads.submit(() -> provider.ackOrchestrationItem(firstAck(turn).withOrchestratorItems(items)));
    }

    private static List<WorkItem> children(int count) {
        return IntStream.range(0, count).mapToObj(i -> start("child-" + i)).toList();
    }

    private static boolean isDelivery(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH && request.body().contains("receipt:parent:");
    }

    /** As many tasks as it has threads, each on a thread of its own. */
    private void hold(Scheduler scheduler, int size) {
        CountDownLatch begun = new CountDownLatch(size);
        for (int i = 0; i < size; i++) {
            scheduler.schedule(() -> {
                begun.countDown();
                try {
                    held.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        await().until(() -> begun.getCount() == 0);
    }
}
