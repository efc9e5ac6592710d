package io.sluice.provider.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.InstanceExt;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What an ack keeps along with an instance comes back with every turn, until another ack replaces it. */
public abstract class InstanceExtContract extends ProviderContract {
    private static final InstanceExt EXT =
            new InstanceExt("{\"status\":\"SUSPENDED\",\"tags\":{\"team\":\"a\"},\"at\":1700000000000}");

    /** More events than one batch of any store takes. */
    private static final int MANY = 150;

    /** Runs the category on stores from there. */
    protected InstanceExtContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_ext_is_kept_by_ack() {
        create(EXT);

        assertThat(kept()).isEqualTo(EXT);
        assertThat(pokedTurn().ext()).isEqualTo(EXT);
    }

    @Test
    void test_ext_is_absent_unless_given() {
        create(null);

        assertThat(kept()).isNull();
        assertThat(pokedTurn().ext()).isNull();
    }

    @Test
    void test_ext_survives_acks_without_it() {
        create(EXT);

        steps.ack(pokedTurn());
        steps.ack(pokedTurn(), ContractItems.event("x", 1, 50, new EventKind.CustomStatusUpdated("half")));

        assertThat(kept()).isEqualTo(EXT);
    }

    @Test
    void test_ext_is_replaced_as_a_whole() {
        create(EXT);
        InstanceExt other = new InstanceExt("{\"status\":\"RUNNING\"}");

        steps.ack(withExt(ProviderSteps.ackOf(pokedTurn()), other));

        assertThat(kept()).isEqualTo(other);
        assertThat(pokedTurn().ext()).isEqualTo(other);
    }

    @Test
    void test_ext_survives_renewal_abandonment_and_lapse() {
        create(EXT);

        LockedTurn turn = pokedTurn();
        provider().renewOrchestrationItemLock(turn.lockToken(), ProviderSteps.LONG);
        steps.abandon(turn);
        assertThat(steps.fetchForLockTimeout().ext()).isEqualTo(EXT);
        passLockTimeout();

        assertThat(steps.fetch().ext()).isEqualTo(EXT);
    }

    @Test
    void test_ext_of_a_large_turn() {
        create(null);
        List<HistoryEvent> events = IntStream.range(0, MANY)
                .mapToObj(i -> ContractItems.event("x", 1, 100 + i, new EventKind.ExternalEvent("e" + i, "{}")))
                .toList();

        steps.ack(withExt(ProviderSteps.ackOf(pokedTurn()).withHistory(events), EXT));

        assertThat(kept()).isEqualTo(EXT);
        LockedTurn next = pokedTurn();
        assertThat(next.ext()).isEqualTo(EXT);
        assertThat(next.item().history()).hasSize(MANY + 1);
    }

    @Test
    void test_ext_survives_a_large_turn_without_it() {
        create(EXT);
        List<HistoryEvent> events = IntStream.range(0, MANY)
                .mapToObj(i -> ContractItems.event("x", 1, 100 + i, new EventKind.ExternalEvent("e" + i, "{}")))
                .toList();

        steps.ack(ProviderSteps.ackOf(pokedTurn()).withHistory(events));

        assertThat(kept()).isEqualTo(EXT);
    }

    @Test
    void test_ext_survives_continue_as_new() {
        create(EXT);

        steps.ack(ProviderSteps.ackOf(pokedTurn())
                .withMetadata(ExecutionMetadata.NONE.withStatus("ContinuedAsNew", "next"))
                .withOrchestratorItems(List.of(ContractItems.continueAsNew("x"))));
        LockedTurn second = steps.fetch();
        assertThat(second.ext()).isEqualTo(EXT);
        steps.ack(TurnAck.of(second.lockToken(), 2).withHistory(List.of(ContractItems.started("x", 2))));

        assertThat(kept()).isEqualTo(EXT);
    }

    private void create(@Nullable InstanceExt ext) {
        steps.start("x");
        steps.ack(ProviderSteps.ackOf(steps.fetch(), ContractItems.started("x"))
                .withMetadata(ProviderSteps.META.withExt(ext)));
    }

    private LockedTurn pokedTurn() {
        steps.poke("x");
        return steps.fetch();
    }

    private static TurnAck withExt(TurnAck ack, InstanceExt ext) {
        return ack.withMetadata(ExecutionMetadata.NONE.withExt(ext));
    }

    private @Nullable InstanceExt kept() {
        return store().queries(provider()).get("x").orElseThrow().ext();
    }
}
