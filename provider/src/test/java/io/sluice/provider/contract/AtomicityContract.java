package io.sluice.provider.contract;

import static io.sluice.provider.contract.ContractItems.activity;
import static io.sluice.provider.contract.ContractItems.event;
import static io.sluice.provider.contract.ContractItems.events;
import static io.sluice.provider.contract.ContractItems.scheduled;
import static io.sluice.provider.contract.ContractItems.signal;
import static io.sluice.provider.contract.ContractItems.started;
import static io.sluice.provider.contract.ContractItems.startedKind;
import static io.sluice.provider.contract.ContractItems.timer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An ack commits all of a turn, or nothing. */
public abstract class AtomicityContract extends ProviderContract {
    /** Runs the category on stores from there. */
    protected AtomicityContract(ContractStores stores) {
        super(stores);
    }

    @Covers("spec/003 failure 2")
    @Test
    void test_atomicity_failure_rollback() {
        steps.start("instance-A");
        steps.ack(steps.fetch(), started("instance-A"));
        steps.start("instance-A");
        LockedTurn second = steps.fetch();

        ProviderSteps.failureOf(() -> steps.ack(second, started("instance-A")));

        assertThat(provider().read("instance-A"))
                .as("events after the refused ack")
                .hasSize(1);
        steps.fetchNothing();
    }

    @Test
    void test_multi_operation_atomic_ack() {
        steps.start("x");
        LockedTurn turn = steps.fetch();
        EventKind[] delta = {
            startedKind("TestOrch", "1.0.0"),
            scheduled("First"),
            scheduled("Second"),
            scheduled("Third"),
            new EventKind.TimerCreated(1_234_567_890L)
        };

        steps.ack(TurnAck.of(turn.lockToken(), 1)
                .withHistory(events("x", 1, 1, delta))
                .withWorkerItems(List.of(activity("x", 1), activity("x", 2), activity("x", 3)))
                .withOrchestratorItems(List.of(timer("x", 5, 1_234_567_890L), signal("x", "approved"))));

        assertThat(provider().read("x")).hasSize(5);
        for (int i = 0; i < 3; i++) {
            steps.fetchWork();
        }
        steps.fetchNoWork();
        assertThat(steps.fetch().item().messages())
                .as("messages in the order of the ack")
                .containsExactly(timer("x", 5, 1_234_567_890L), signal("x", "approved"));
    }

    @Test
    void test_lock_released_only_on_successful_ack() {
        steps.start("instance-A");
        steps.fetchForLockTimeout();
        steps.fetchNothing();

        ProviderSteps.failureOf(() -> steps.ack(TurnAck.of("invalid-lock-token", 1)));

        steps.fetchNothing();
        passLockTimeout();
        assertThat(steps.fetch().item().instance()).isEqualTo("instance-A");
    }

    @Test
    void test_concurrent_ack_prevention() throws Exception {
        steps.start("x");
        LockedTurn turn = steps.fetch();

        List<Boolean> succeeded = Racers.race(2, i -> 0, () -> {
            try {
                steps.ack(turn, event("x", 1, 1, startedKind("TestOrch", "1.0.0")));
                return true;
            } catch (ProviderException e) {
                return false;
            }
        });

        assertThat(succeeded).as("which of two acks of one token succeeded").containsExactlyInAnyOrder(true, false);
    }
}
