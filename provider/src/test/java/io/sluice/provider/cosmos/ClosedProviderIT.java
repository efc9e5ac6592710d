package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TagFilter;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A provider that is closed ends what waits, takes no work any more and says why. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClosedProviderIT {
    private static final Duration LONG_POLL = Duration.ofMinutes(5);
    private static final long SOON_SECONDS = 20;

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private StoreFixture fixture;
    private CosmosProvider provider;

    @BeforeEach
    void open() {
        fixture = StoreFixture.provisioned(account);
        provider = fixture.provider();
    }

    @AfterEach
    void close() {
        fixture.close();
        threads.shutdownNow();
    }

    @Test
    void fetches_that_wait_return_nothing_at_once() throws Exception {
        account.requireEmulator();
        var turn = threads.submit(() -> provider.fetchOrchestrationItem(LOCK, LONG_POLL, null));
        var activity = threads.submit(() -> provider.fetchWorkItem(LOCK, LONG_POLL, null, TagFilter.defaultOnly()));
        awaitQueries(2);

        provider.close();

        assertThat(turn.get(SOON_SECONDS, TimeUnit.SECONDS)).isEmpty();
        assertThat(activity.get(SOON_SECONDS, TimeUnit.SECONDS)).isEmpty();
    }

    @Test
    void a_closed_provider_takes_no_work_though_its_store_is_open() throws Exception {
        account.requireEmulator();
        CosmosStore store = fixture.store();
        CosmosProvider shared =
                CosmosProvider.builder().reconciler(false).store(store).build();
        var turn = threads.submit(() -> shared.fetchOrchestrationItem(LOCK, LONG_POLL, null));
        var activity = threads.submit(() -> shared.fetchWorkItem(LOCK, LONG_POLL, null, TagFilter.defaultOnly()));
        awaitQueries(2);

        shared.close();
        provider.enqueueForOrchestrator(start("late"), null);
        provider.enqueueForWorker(activity("late", 1));

        assertThat(turn.get(SOON_SECONDS, TimeUnit.SECONDS)).isEmpty();
        assertThat(activity.get(SOON_SECONDS, TimeUnit.SECONDS)).isEmpty();
        assertThat(takeTurn(provider).item().instance()).isEqualTo("late");
        assertThat(takeActivity(provider).item()).isEqualTo(activity("late", 1));
    }

    @Test
    void a_turn_that_is_locked_while_the_provider_closes_is_free_for_others() throws Exception {
        account.requireEmulator();
        provider.enqueueForOrchestrator(start("order-1"), null);
        CosmosProvider closing = fixture.provider();
        try (HeldRequest lock = HeldRequest.of(fixture.emulator(), ClosedProviderIT::isLock)) {
            Future<Optional<LockedTurn>> turn =
                    threads.submit(() -> closing.fetchOrchestrationItem(LOCK, NO_WAIT, null));
            lock.awaitHeld();

            Future<?> closed = threads.submit(closing::close);
            await().untilAsserted(() ->
                    assertThatThrownBy(() -> closing.read("order-1")).hasMessageContaining("closed"));
            lock.letGo();

            assertThat(turn.get(SOON_SECONDS, TimeUnit.SECONDS)).isEmpty();
            closed.get(SOON_SECONDS, TimeUnit.SECONDS);
        }
        LockedTurn next = takeTurn(provider);
        assertThat(next.attemptCount()).as("the one before was taken back").isEqualTo(1);
        provider.ackOrchestrationItem(firstAck(next));
    }

    @Test
    void later_calls_fail_and_say_that_it_is_closed() {
        provider.close();

        Map<String, Runnable> calls = Map.of(
                "fetchOrchestrationItem", () -> provider.fetchOrchestrationItem(LOCK, NO_WAIT, null),
                "fetchWorkItem", () -> provider.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.defaultOnly()),
                "enqueueForOrchestrator", () -> provider.enqueueForOrchestrator(start("x"), null),
                "read", () -> provider.read("x"),
                "listInstances",
                        () -> provider.asManagementCapability().orElseThrow().listInstances());

        calls.forEach((operation, call) -> assertThatThrownBy(call::run)
                .as(operation)
                .asInstanceOf(InstanceOfAssertFactories.type(ProviderException.class))
                .satisfies(e -> {
                    assertThat(e.operation()).isEqualTo(operation);
                    assertThat(e.getMessage()).contains("the provider is closed");
                    assertThat(e.retryable()).isFalse();
                }));
        provider.close();
    }

    private void awaitQueries(int count) {
        await().until(() -> fixture.emulator()
                        .requests()
                        .matching(request -> request.operation() == RequestKind.QUERY)
                        .count()
                >= count);
    }

    private static boolean isLock(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH
                && request.body().contains("order-1:instance")
                && request.body().contains("create:");
    }
}
