package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.assertLockLost;
import static io.sluice.provider.cosmos.StoreFixture.beginInstance;
import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.started;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.models.PartitionKey;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.history.EventKind;
import io.sluice.testkit.CosmosAccount;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The windows in which other writers of the store lose, repeat or get stuck: each is provoked, and does no harm here.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TurnDeviationsIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private static final int ENOUGH = 40;

    private final AtomicLong ahead = new AtomicLong();
    private CosmosStore store;
    private CosmosProvider provider;
    private CosmosProvider other;
    private CosmosEmulator emulator;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        store = fixture.store();
        // Both by the same clock: of two that differ by a millisecond the one behind does not see yet what the other
        // just enqueued.
        provider = CosmosProvider.builder()
                .reconciler(false)
                .store(store)
                .clock(InstantSource.system())
                .build();
        other = fixture.providerAhead(ahead);
    }

    @Covers({"wire 6", "wire 20"})
    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {408, 410, 412, 429, 449, 500, 503})
    void a_refusal_at_any_request_of_a_fetch_leaves_no_message_untagged(int status) {
        boolean struck = true;
        for (int n = 1; struck; n++) {
            String instance = "order-" + n;
            provider.enqueueForOrchestrator(start(instance), null);
            provider.enqueueForOrchestrator(raised(instance, "once"), null);
            ahead.set(0);
            FaultRule fault = emulator.faults().refuse(StoreFixture::isData, n, status, 0);
            Optional<LockedTurn> turn = tolerant(() -> fetchTurn(other));
            struck = fault.hits() > 0;
            fault.remove();
            if (turn.isEmpty()) {
                // Whatever the failed fetch left behind lapses.
                ahead.set(LOCK.toMillis() + 1);
                turn = Optional.of(takeTurn(other));
            }

            assertThat(turn.get().item().messages())
                    .as("request %d refused with %d", n, status)
                    .containsExactly(start(instance), raised(instance, "once"));
            other.ackOrchestrationItem(firstAck(turn.get()));
            assertThat(fixture.documents(store, instance, "orch_queue"))
                    .as("request %d refused with %d: nothing is delivered again", n, status)
                    .isEmpty();
            assertThat(n).isLessThan(ENOUGH);
        }
    }

    @Test
    @Covers("wire 21")
    void a_fetch_that_fails_after_its_lock_gives_it_back_and_counts_no_attempt() {
        beginInstance(provider, "order-1");
        provider.enqueueForOrchestrator(raised("order-1", "x"), null);
        FaultRule broken = emulator.faults().refuse(TurnDeviationsIT::readsHistory, 0, 400, 0);

        assertThat(tolerant(() -> fetchTurn(other))).isEmpty();

        assertThat(broken.hits()).isPositive();
        broken.remove();
        LockedTurn turn = takeTurn(fixture.provider());
        assertThat(turn.attemptCount()).as("at once, and for the first time").isEqualTo(1);
        assertThat(turn.item().history()).containsExactly(started("order-1"));
    }

    @Test
    @Covers("wire 27a")
    void a_fetch_that_gives_back_its_lock_never_takes_off_anothers() {
        beginInstance(provider, "order-1");
        provider.enqueueForOrchestrator(raised("order-1", "x"), null);
        CosmosProvider cold = fixture.provider();
        AtomicBoolean isBroken = new AtomicBoolean(true);
        FaultRule broken = emulator.faults().refuse(request -> isBroken.get() && readsHistory(request), 0, 400, 0);
        AtomicReference<@Nullable LockedTurn> stolen = new AtomicReference<>();
        Runnable theft = () -> {
            isBroken.set(false);
            ahead.set(LOCK.toMillis() + 1);
            stolen.set(takeTurn(other));
        };
        // The first batch locks, the second gives back.
        try (var window = NthRequest.doing(emulator, StoreFixture::isBatch, 2, theft)) {
            assertThat(tolerant(() -> fetchTurn(cold))).isEmpty();
            assertThat(window.happened()).isTrue();
        }

        assertThat(broken.hits()).isPositive();
        LockedTurn turn = Objects.requireNonNull(stolen.get());
        assertThat(fetchTurn(provider)).as("still locked").isNull();
        other.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                .withHistory(List.of(event("order-1", 2, new EventKind.OrchestrationCompleted("ok")))));
    }

    @Test
    @Covers("wire 27")
    void a_turn_of_a_deleted_instance_does_not_bring_it_back() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        LockedTurn turn = takeTurn(provider);
        for (String type : List.of("instance", "orch_queue")) {
            fixture.documents(store, "order-1", type)
                    .forEach(document -> store.container()
                            .deleteItem(document.get("id").asText(), new PartitionKey("order-1"))
                            .block());
        }

        assertLockLost(() -> provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)));

        assertThat(fixture.documents(store, "order-1", "instance")).isEmpty();
    }

    @Test
    @Covers("wire 23")
    void an_undelivered_intent_of_an_earlier_turn_does_not_fail_the_next() {
        CosmosProvider leaving = CosmosProvider.builder()
                .reconciler(false)
                .store(store)
                .immediateDelivery(false)
                .build();
        leaving.enqueueForOrchestrator(start("parent"), null);
        leaving.ackOrchestrationItem(firstAck(takeTurn(leaving)).withOrchestratorItems(List.of(start("child-1"))));
        leaving.enqueueForOrchestrator(raised("parent", "x"), null);
        LockedTurn next = takeTurn(leaving);

        leaving.ackOrchestrationItem(TurnAck.of(next.lockToken(), 1)
                .withHistory(List.of(event("parent", 2, new EventKind.ExternalEvent("m", "x"))))
                .withOrchestratorItems(List.of(start("child-2"))));

        assertThat(fixture.documents(store, "parent", "outbox_intent"))
                .extracting(intent -> intent.get("targetInstanceId").asText())
                .containsExactlyInAnyOrder("child-1", "child-2");
        assertThat(leaving.read("parent")).hasSize(2);
    }

    @Test
    @Covers("wire 28")
    void a_replica_that_lags_behind_never_makes_a_permanent_error() {
        boolean struck = true;
        for (int n = 1; struck; n++) {
            String instance = "order-" + n;
            beginInstance(provider, instance);
            provider.enqueueForOrchestrator(raised(instance, "x"), null);
            CosmosProvider cold = fixture.provider();
            FaultRule lagging = emulator.faults().refuse(TurnDeviationsIT::isRead, n, 404, 1002);

            LockedTurn turn = takeTurn(cold);
            CosmosProvider acking = fixture.provider();
            // Another process knows nothing of the token and has to find it.
            acking.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                    .withHistory(List.of(event(instance, 2, new EventKind.OrchestrationCompleted("ok")))));

            struck = lagging.hits() > 0;
            lagging.remove();
            assertThat(provider.read(instance)).as("read %d lagged", n).hasSize(2);
            assertThat(n).isLessThan(ENOUGH);
        }
    }

    @Test
    @Covers("wire 29")
    void a_batch_that_fails_in_the_middle_leaves_nothing_behind() {
        provider.appendWithExecution("order-1", 1, List.of(started("order-1")));
        provider.enqueueForOrchestrator(start("order-1"), null);
        LockedTurn turn = takeTurn(provider);
        var messages = fixture.documents(store, "order-1", "orch_queue");
        var head = fixture.documents(store, "order-1", "instance");

        assertThatThrownBy(() -> provider.ackOrchestrationItem(firstAck(turn)
                        .withWorkerItems(List.of(StoreFixture.activity("order-1", 2)))
                        .withOrchestratorItems(List.of(raised("order-1", "self")))))
                .hasMessageContaining("duplicate");

        assertThat(fixture.documents(store, "order-1", "orch_queue")).isEqualTo(messages);
        assertThat(fixture.documents(store, "order-1", "instance")).isEqualTo(head);
        assertThat(fixture.documents(store, "order-1", "worker_queue")).isEmpty();
    }

    @Covers("wire 36")
    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {0, 1, 408, 410, 429, 449, 503})
    void an_abandoned_turn_is_free_at_once_whatever_the_first_try_came_to(int status) {
        provider.enqueueForOrchestrator(start("order-1"), null);
        LockedTurn turn = takeTurn(provider);
        FaultRule fault = fault(status);

        provider.abandonOrchestrationItem(turn.lockToken(), null, false);

        assertThat(fault.hits()).isEqualTo(1);
        assertThat(takeTurn(other).attemptCount()).isEqualTo(2);
        assertLockLost(() -> provider.abandonOrchestrationItem(turn.lockToken(), null, false));
    }

    @Covers("wire 37")
    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {0, 1, 408, 410, 429, 449, 503})
    void a_message_is_queued_once_whatever_the_first_try_came_to(int status) {
        FaultRule first = fault(status);
        provider.enqueueForOrchestrator(start("order-1"), null);
        FaultRule second = fault(status);
        provider.enqueueForWorker(StoreFixture.activity("order-1", 2));

        assertThat(first.hits() + second.hits()).isEqualTo(2);
        assertThat(fixture.documents(store, "order-1", "orch_queue")).hasSize(1);
        assertThat(fixture.documents(store, "order-1", "worker_queue")).hasSize(1);
    }

    /** 0 loses the answer, 1 drops the request, anything else refuses it; the next batch only. */
    private FaultRule fault(int status) {
        return switch (status) {
            case 0 -> emulator.faults().loseAnswer(StoreFixture::isBatch, 1);
            case 1 -> emulator.faults().dropConnection(StoreFixture::isBatch, 1);
            default -> emulator.faults().refuse(StoreFixture::isBatch, 1, status, 0);
        };
    }

    /** A fetch that may fail as the contract allows: in passing, or by finding nothing it can lock. */
    private static Optional<LockedTurn> tolerant(java.util.function.Supplier<@Nullable LockedTurn> fetch) {
        try {
            return Optional.ofNullable(fetch.get());
        } catch (ProviderException e) {
            assertThat(e.retryable()).as(e.getMessage()).isTrue();
            return Optional.empty();
        }
    }

    private static boolean isRead(LoggedRequest request) {
        return request.operation() == RequestKind.QUERY || request.operation() == RequestKind.ITEM_READ;
    }

    private static boolean readsHistory(LoggedRequest request) {
        return request.operation() == RequestKind.QUERY && request.body().contains("'history'");
    }
}
