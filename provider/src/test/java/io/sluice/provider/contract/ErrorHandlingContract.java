package io.sluice.provider.contract;

import static io.sluice.provider.contract.ContractItems.event;
import static io.sluice.provider.contract.ContractItems.scheduled;
import static io.sluice.provider.contract.ContractItems.started;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.TurnAck;
import org.junit.jupiter.api.Test;

/** What must fail, fails, and leaves everything as it was. */
public abstract class ErrorHandlingContract extends ProviderContract {
    /** Runs the category on stores from there. */
    protected ErrorHandlingContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_invalid_lock_token_on_ack() {
        assertThat(ProviderSteps.failureOf(() -> steps.ack(TurnAck.of("invalid-token", 1))))
                .hasMessageMatching("(?s).*(Invalid lock token|lock_token).*");
    }

    @Covers("spec/003 failure 2")
    @Test
    void test_duplicate_event_id_rejection() {
        steps.start("x");
        steps.ack(steps.fetch(), started("x"));
        steps.start("x");
        LockedTurn second = steps.fetch();

        ProviderSteps.failureOf(() -> steps.ack(second, event("x", 1, 1, scheduled("Overwriting"))));

        assertThat(provider().read("x")).as("the event stored first").containsExactly(started("x"));
    }

    @Test
    void test_missing_instance_metadata() {
        assertThat(provider().read("unknown")).isEmpty();
    }

    @Test
    void test_corrupted_serialization_data() {
        steps.fetchNothing();
    }

    @Covers("spec/003 race 3")
    @Test
    void test_lock_expiration_during_ack() {
        steps.start("x");
        LockedTurn turn = steps.fetchForLockTimeout();

        passLockTimeout();

        ProviderSteps.failureOf(() -> steps.ack(turn, started("x")));
    }

    @Test
    void test_read_corrupted_history_returns_error() {
        steps.create("x");
        assertThat(provider().read("x")).isNotEmpty();

        store().corruptHistory("x");

        ProviderSteps.failureOf(() -> provider().read("x"));
    }

    @Test
    void test_read_with_execution_corrupted_history_returns_error() {
        steps.create("x");
        assertThat(provider().readWithExecution("x", 1)).isNotEmpty();

        store().corruptHistory("x");

        ProviderSteps.failureOf(() -> provider().readWithExecution("x", 1));
    }
}
