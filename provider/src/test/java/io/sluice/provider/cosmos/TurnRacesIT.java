package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.assertLockLost;
import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.started;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two holders, lost answers and lapsed locks: one ack wins, and nothing is stored twice. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TurnRacesIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private final AtomicLong ahead = new AtomicLong();
    private CosmosProvider first;
    private CosmosProvider second;
    private CosmosEmulator emulator;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        first = fixture.provider();
        // Sees the other's locks as lapsed once told to.
        second = fixture.provider(CosmosProvider.builder().reconciler(false).clock(shifted()));
        first.enqueueForOrchestrator(start("order-1"), null);
    }

    @Covers("wire 27")
    @Test
    void of_two_holders_the_later_one_wins_and_the_former_learns_that_its_lock_is_lost() {
        LockedTurn stale = takeTurn(first);
        ahead.set(LOCK.toMillis() + 1);
        LockedTurn current = takeTurn(second);

        assertLockLost(() -> first.ackOrchestrationItem(firstAck(stale)));
        assertLockLost(() -> first.ackOrchestrationItem(firstAck(stale)));
        second.ackOrchestrationItem(firstAck(current));

        assertThat(current.attemptCount()).isEqualTo(2);
        assertThat(first.read("order-1")).containsExactly(started("order-1"));
        assertLockLost(() -> first.renewOrchestrationItemLock(stale.lockToken(), LOCK));
        assertLockLost(() -> first.abandonOrchestrationItem(stale.lockToken(), null, false));
    }

    @Test
    void a_former_holder_cannot_abandon_or_renew_what_another_took() {
        LockedTurn stale = takeTurn(first);
        ahead.set(LOCK.toMillis() + 1);
        LockedTurn current = takeTurn(second);

        assertLockLost(() -> first.renewOrchestrationItemLock(stale.lockToken(), LOCK));
        assertLockLost(() -> first.abandonOrchestrationItem(stale.lockToken(), null, false));
        second.ackOrchestrationItem(firstAck(current));
    }

    @Test
    void a_lock_that_expired_is_lost_even_if_nobody_took_it() {
        LockedTurn turn = second.fetchOrchestrationItem(LOCK, Duration.ofSeconds(30), null)
                .orElseThrow();

        ahead.set(LOCK.toMillis() + 1);

        assertLockLost(() -> second.ackOrchestrationItem(firstAck(turn)));
        assertThat(second.read("order-1")).isEmpty();
    }

    @Test
    void a_lock_that_expired_is_not_renewed_even_if_nobody_took_it() {
        LockedTurn turn = takeTurn(second);

        ahead.set(LOCK.toMillis() + 1);

        assertLockLost(() -> second.renewOrchestrationItemLock(turn.lockToken(), LOCK));
        assertThat(takeTurn(second).attemptCount()).isEqualTo(2);
    }

    @Covers("wire 33")
    @Test
    void an_ack_whose_answer_was_lost_is_found_to_have_succeeded() {
        LockedTurn turn = takeTurn(first);
        FaultRule lost = emulator.faults().loseAnswer(TurnRacesIT::isAck, 1);

        first.ackOrchestrationItem(firstAck(turn));

        assertThat(lost.hits()).isEqualTo(1);
        assertThat(first.read("order-1")).containsExactly(started("order-1"));
        assertThat(fetchTurn(first)).as("the message is not delivered again").isNull();
        assertLockLost(() -> first.ackOrchestrationItem(firstAck(turn)));
    }

    @Test
    void an_ack_that_never_arrived_is_not_taken_for_that_of_the_next_holder() {
        LockedTurn turn = takeTurn(first);
        var others = event("order-1", 1, new EventKind.ExternalEvent("started", "by another"));
        FaultRule dropped = emulator.faults().dropConnection(TurnRacesIT::isAck, 1);
        Runnable theft = () -> {
            ahead.set(LOCK.toMillis() + 1);
            second.ackOrchestrationItem(firstAck(takeTurn(second)).withHistory(List.of(others)));
        };

        try (var window = NthRequest.doing(emulator, request -> dropped.hits() > 0, 1, theft)) {
            assertLockLost(() -> first.ackOrchestrationItem(firstAck(turn)));
            assertThat(window.happened()).isTrue();
        }

        assertThat(first.read("order-1")).containsExactly(others);
    }

    @Test
    void an_ack_without_events_whose_answer_was_lost_is_found_by_its_messages() {
        LockedTurn turn = takeTurn(first);
        emulator.faults().loseAnswer(TurnRacesIT::isAck, 1);

        first.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));

        assertThat(fetchTurn(first)).isNull();
    }

    @Test
    void an_ack_that_never_arrived_is_sent_again_under_the_same_lock() {
        LockedTurn turn = takeTurn(first);
        emulator.faults().dropConnection(TurnRacesIT::isAck, 1);

        first.ackOrchestrationItem(firstAck(turn));

        assertThat(first.read("order-1")).containsExactly(started("order-1"));
    }

    @Test
    void throttling_is_waited_out_within_the_lock() {
        LockedTurn turn = takeTurn(first);
        FaultRule busy = emulator.faults().refuse(TurnRacesIT::isAck, 1, 429, 3200);

        first.ackOrchestrationItem(firstAck(turn));

        assertThat(busy.hits()).isEqualTo(1);
        assertThat(first.read("order-1")).hasSize(1);
    }

    @Covers("wire 32")
    @Test
    void a_passing_refusal_never_kills_a_healthy_orchestration() {
        for (int status : new int[] {408, 410, 449, 503}) {
            String instance = "order-" + status;
            first.enqueueForOrchestrator(start(instance), null);
            LockedTurn turn = takeTurn(first);
            FaultRule rule = emulator.faults().refuse(TurnRacesIT::isAck, 1, status, 0);

            first.ackOrchestrationItem(firstAck(turn));

            assertThat(rule.hits()).as("status %d", status).isEqualTo(1);
            rule.remove();
        }
    }

    @Test
    void a_renewal_in_between_does_not_cost_the_ack() {
        LockedTurn turn = takeTurn(first);
        // Renewed by what looks like another process of the same dispatcher: the version moves behind the ack's back.
        second.renewOrchestrationItemLock(turn.lockToken(), LOCK);

        first.ackOrchestrationItem(firstAck(turn));

        assertThat(first.read("order-1")).hasSize(1);
    }

    @Test
    void a_renewal_whose_answer_was_lost_holds() {
        LockedTurn turn = takeTurn(first);
        emulator.faults().loseAnswer(request -> request.operation() == RequestKind.BATCH, 1);

        first.renewOrchestrationItemLock(turn.lockToken(), LOCK);

        first.ackOrchestrationItem(firstAck(turn));
    }

    @Test
    void a_lock_whose_answer_was_lost_is_found_and_used() {
        FaultRule lost = emulator.faults().loseAnswer(TurnRacesIT::isLock, 1);

        LockedTurn turn = takeTurn(first);

        assertThat(lost.hits()).isEqualTo(1);
        assertThat(turn.attemptCount()).as("one attempt, counted once").isEqualTo(1);
        first.ackOrchestrationItem(firstAck(turn));
    }

    @Test
    void a_second_ack_with_other_content_is_not_mistaken_for_the_first() {
        LockedTurn turn = takeTurn(first);
        emulator.faults().loseAnswer(TurnRacesIT::isAck, 1);
        first.ackOrchestrationItem(firstAck(turn));

        var failed = event("order-1", 1, new EventKind.OrchestrationCompleted("something else"));
        assertLockLost(
                () -> first.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1).withHistory(List.of(failed))));

        assertThat(first.read("order-1")).containsExactly(started("order-1"));
    }

    @Covers("spec/003 failure 2")
    @Test
    void an_event_id_that_exists_changes_nothing_and_the_lock_stays() {
        first.appendWithExecution("order-1", 1, List.of(started("order-1")));
        LockedTurn turn = takeTurn(first);

        assertThatThrownBy(() -> first.ackOrchestrationItem(firstAck(turn)))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining("duplicate");

        var another = event("order-1", 7, new EventKind.OrchestrationCompleted("ok"));
        first.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1).withHistory(List.of(another)));
        assertThat(first.read("order-1")).hasSize(2);
    }

    @Test
    void an_instance_that_is_locked_is_nobodys_candidate() {
        LockedTurn turn = takeTurn(first);
        first.enqueueForOrchestrator(raised("order-1", "late"), null);

        assertThat(second.fetchOrchestrationItem(LOCK, NO_WAIT, null)).isEmpty();
        assertThat(first.fetchOrchestrationItem(LOCK, NO_WAIT, null)).isEmpty();

        first.ackOrchestrationItem(firstAck(turn));
        assertThat(takeTurn(first).item().messages()).containsExactly(raised("order-1", "late"));
    }

    private static boolean isAck(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH
                && request.body().toLowerCase(java.util.Locale.ROOT).startsWith("replace:");
    }

    private static boolean isLock(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH
                && request.body().toLowerCase(java.util.Locale.ROOT).startsWith("create:order-1:instance,");
    }

    private InstantSource shifted() {
        return () -> InstantSource.system().instant().plusMillis(ahead.get());
    }
}
