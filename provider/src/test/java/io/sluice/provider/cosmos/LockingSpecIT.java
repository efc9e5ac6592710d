package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.assertLockLost;
import static io.sluice.provider.cosmos.StoreFixture.completed;
import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.started;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The four races of a peek-lock queue with locked instances, and the ways it fails. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LockingSpecIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private static final int ENOUGH = 40;

    private final AtomicLong ahead = new AtomicLong();
    private CosmosStore here;
    private CosmosProvider first;
    private CosmosProvider second;
    private CosmosEmulator emulator;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        here = fixture.store();
        first = CosmosProvider.builder().reconciler(false).store(here).build();
        second = fixture.providerAhead(ahead);
    }

    @Test
    @Covers("spec/003 race 1")
    void of_two_that_fetch_at_once_one_gets_the_instance() {
        boolean reached = true;
        for (int n = 1; reached; n++) {
            String instance = "order-" + n;
            first.enqueueForOrchestrator(start(instance), null);
            AtomicReference<@Nullable LockedTurn> theirs = new AtomicReference<>();
            @Nullable LockedTurn mine;
            try (var window =
                    NthRequest.doing(emulator, StoreFixture::isData, n, () -> theirs.set(fetchTurn(second)))) {
                mine = fetchTurn(first);
                reached = window.happened();
            }
            LockedTurn other = theirs.get();
            assertThat(mine == null).as("met at request %d", n).isNotEqualTo(other == null);
            LockedTurn turn = Objects.requireNonNull(mine == null ? other : mine);
            CosmosProvider holder = mine == null ? second : first;
            assertThat(turn.attemptCount())
                    .as("met at request %d: the loser left no mark", n)
                    .isEqualTo(1);
            holder.ackOrchestrationItem(firstAck(turn));
            assertThat(n).isLessThan(ENOUGH);
        }
    }

    @Test
    void a_lock_that_was_renewed_for_less_lapses_with_the_tags_of_its_messages() {
        first.enqueueForOrchestrator(start("order-1"), null);
        LockedTurn turn = takeTurn(first);
        first.renewOrchestrationItemLock(turn.lockToken(), Duration.ofSeconds(2));
        assertThat(fetchTurn(second)).isNull();

        ahead.set(Duration.ofSeconds(10).toMillis());

        assertThat(takeTurn(second).item().messages()).containsExactly(start("order-1"));
    }

    @Test
    @Covers("spec/003 race 2")
    void a_message_that_arrives_during_the_turn_is_left_alone_by_its_ack() {
        boolean reached = true;
        for (int n = 1; reached; n++) {
            String instance = "order-" + n;
            first.enqueueForOrchestrator(start(instance), null);
            LockedTurn turn = takeTurn(first);
            second.enqueueForOrchestrator(raised(instance, "during"), null);
            assertThat(fetchTurn(second))
                    .as("queued, and not to be had while the lock lives")
                    .isNull();
            try (var window = NthRequest.doing(
                    emulator,
                    StoreFixture::isData,
                    n,
                    () -> second.enqueueForOrchestrator(raised(instance, "at the last moment"), null))) {
                first.ackOrchestrationItem(firstAck(turn));
                reached = window.happened();
            }

            LockedTurn next = takeTurn(first);
            List<WorkItem> expected = new ArrayList<>(List.of(raised(instance, "during")));
            if (reached) {
                expected.add(raised(instance, "at the last moment"));
            }
            assertThat(next.item().messages()).as("arrived at request %d", n).containsExactlyElementsOf(expected);
            assertThat(next.item().history()).containsExactly(started(instance));
            first.ackOrchestrationItem(TurnAck.of(next.lockToken(), 1));
            assertThat(n).isLessThan(ENOUGH);
        }
    }

    @Test
    @Covers("spec/003 race 3")
    void an_ack_after_the_lock_has_expired_stores_nothing_whether_or_not_somebody_took_over() {
        first.enqueueForOrchestrator(start("order-1"), null);
        LockedTurn late = second.fetchOrchestrationItem(LOCK, NO_WAIT, null).orElseThrow();
        ahead.set(LOCK.toMillis());

        assertLockLost(() -> second.ackOrchestrationItem(firstAck(late)));
        LockedTurn again = takeTurn(second);
        assertLockLost(() -> second.ackOrchestrationItem(firstAck(late)));

        assertThat(second.read("order-1")).isEmpty();
        assertThat(again.item().messages()).containsExactly(start("order-1"));
        assertThat(again.attemptCount()).isEqualTo(2);
        second.ackOrchestrationItem(firstAck(again));
        assertThat(second.read("order-1")).containsExactly(started("order-1"));
    }

    @Test
    @Covers("spec/003 race 4")
    void completions_that_flood_in_during_a_turn_come_together_in_the_next() {
        first.enqueueForOrchestrator(start("order-1"), null);
        LockedTurn turn = takeTurn(first);
        for (long id = 2; id < 12; id++) {
            second.enqueueForOrchestrator(completed("order-1", id), null);
        }
        assertThat(fetchTurn(second)).isNull();

        first.ackOrchestrationItem(firstAck(turn));

        LockedTurn fanIn = takeTurn(first);
        assertThat(fanIn.item().messages())
                .containsExactlyElementsOf(LongStream.range(2, 12)
                        .mapToObj(id -> completed("order-1", id))
                        .toList());
        assertThat(fetchTurn(first)).as("all in one turn").isNull();
    }

    @Covers("spec/003 failure 1")
    @ParameterizedTest
    @EnumSource(CrashPoint.LastRequest.class)
    void a_worker_that_dies_at_any_request_of_its_fetch_blocks_nothing_beyond_its_lock(CrashPoint.LastRequest last) {
        boolean died = true;
        for (int n = 0; died; n++) {
            String instance = "order-" + n;
            first.enqueueForOrchestrator(start(instance), null);
            first.enqueueForOrchestrator(raised(instance, "x"), null);
            CosmosProvider mortal = fixture.provider();
            died = CrashPoint.dies(emulator, n, last, () -> takeTurn(mortal));
            ahead.set(LOCK.toMillis() + 1_000);

            LockedTurn turn = takeTurn(second);

            assertThat(turn.item().messages())
                    .as("died after request %d", n)
                    .containsExactly(start(instance), raised(instance, "x"));
            assertThat(turn.attemptCount()).as("died after request %d", n).isLessThanOrEqualTo(2);
            second.ackOrchestrationItem(firstAck(turn));
            assertThat(n).isLessThan(ENOUGH);
        }
    }

    @Covers("spec/003 failure 1")
    @ParameterizedTest
    @EnumSource(CrashPoint.LastRequest.class)
    void a_worker_that_dies_at_any_request_of_its_ack_has_committed_all_or_nothing(CrashPoint.LastRequest last) {
        boolean died = true;
        for (int n = 0; died; n++) {
            String instance = "order-" + n;
            ahead.set(0);
            first.enqueueForOrchestrator(start(instance), null);
            CosmosProvider mortal = fixture.provider();
            LockedTurn turn = takeTurn(mortal);
            died = CrashPoint.dies(
                    emulator,
                    n,
                    last,
                    () -> mortal.ackOrchestrationItem(firstAck(turn)
                            .withWorkerItems(List.of(StoreFixture.activity(instance, 2)))
                            .withOrchestratorItems(List.of(raised(instance, "self")))));
            ahead.set(LOCK.toMillis() + 1_000);
            boolean committed = !first.read(instance).isEmpty();

            LockedTurn next = takeTurn(second);

            assertThat(next.item().messages())
                    .as("died after request %d", n)
                    .containsExactly(committed ? raised(instance, "self") : start(instance));
            assertThat(fixture.documents(here, instance, "worker_queue")).hasSize(committed ? 1 : 0);
            second.ackOrchestrationItem(TurnAck.of(next.lockToken(), 1));
            assertThat(n).isLessThan(ENOUGH);
        }
    }

    @Test
    @Covers("spec/003 failure 2")
    void an_event_id_is_stored_once_and_its_second_holder_changes_nothing() {
        first.appendWithExecution("order-1", 1, List.of(started("order-1")));
        first.enqueueForOrchestrator(start("order-1"), null);
        LockedTurn turn = takeTurn(second);
        List<ObjectNode> before = fixture.documents(here, "order-1", "orch_queue");

        HistoryEvent clash = event("order-1", 1, new EventKind.OrchestrationCompleted("other"));
        HistoryEvent fresh = event("order-1", 2, new EventKind.ExternalEvent("m", "fresh"));
        assertThatThrownBy(() -> second.ackOrchestrationItem(
                        TurnAck.of(turn.lockToken(), 1).withHistory(List.of(fresh, clash))))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining("duplicate");

        assertThat(second.read("order-1")).containsExactly(started("order-1"));
        assertThat(fixture.documents(here, "order-1", "orch_queue")).isEqualTo(before);
    }

    @Test
    @Covers("spec/003 failure 3")
    @Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void instances_that_write_to_each_other_never_wait_for_each_other() throws Exception {
        int rounds = 8;
        first.enqueueForOrchestrator(start("ping"), null);
        first.enqueueForOrchestrator(start("pong"), null);
        List<Callable<Void>> dispatchers = new ArrayList<>();
        AtomicLong finished = new AtomicLong();
        for (CosmosProvider process : List.of(first, second, first, second)) {
            dispatchers.add(() -> {
                while (finished.get() < 2) {
                    process.fetchOrchestrationItem(LOCK, Duration.ofMillis(20), null)
                            .ifPresent(turn -> finished.addAndGet(volley(process, turn, rounds)));
                }
                return null;
            });
        }

        // What an ack leaves undelivered, because another process is at it, is the relay's.
        IntentOutbox relay = new IntentOutbox(here.container(), InstantSource.system());
        dispatchers.add(() -> {
            while (finished.get() < 2) {
                deliverAll(relay, "ping");
                deliverAll(relay, "pong");
            }
            return null;
        });

        ExecutorService threads = Executors.newFixedThreadPool(dispatchers.size());
        for (Future<Void> done : threads.invokeAll(dispatchers)) {
            done.get();
        }
        threads.shutdown();

        for (String instance : List.of("ping", "pong")) {
            assertThat(first.read(instance)).hasSizeGreaterThanOrEqualTo(rounds);
        }
    }

    private static void deliverAll(IntentOutbox relay, String source) {
        List<Intent> delivered = relay.undelivered(source).stream()
                .filter(intent -> relay.deliver(intent) instanceof DeliveryOutcome.Delivered)
                .toList();
        if (!delivered.isEmpty()) {
            relay.remove(source, delivered);
        }
    }

    /**
     * Answers every turn with a message to the other; 1 when this was the turn that brought the instance to the end.
     */
    private static int volley(CosmosProvider process, LockedTurn turn, int rounds) {
        String instance = turn.item().instance();
        String peer = instance.equals("ping") ? "pong" : "ping";
        List<HistoryEvent> delta = new ArrayList<>();
        int before = turn.item().history().size();
        int after = before;
        for (WorkItem message : turn.item().messages()) {
            delta.add(event(instance, ++after, new EventKind.ExternalEvent("m", message.variant())));
        }
        TurnAck ack = TurnAck.of(turn.lockToken(), 1).withHistory(delta);
        boolean goesOn = after < 2 * rounds;
        process.ackOrchestrationItem(goesOn ? ack.withOrchestratorItems(List.of(raised(peer, "volley"))) : ack);
        return before < rounds && after >= rounds ? 1 : 0;
    }
}
