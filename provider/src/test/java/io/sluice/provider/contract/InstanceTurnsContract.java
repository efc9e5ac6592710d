package io.sluice.provider.contract;

import static io.sluice.provider.contract.ContractItems.signal;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.InstanceStart;
import io.sluice.provider.InstanceTurns;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The turn of an instance that the caller names, whatever else waits. */
public abstract class InstanceTurnsContract extends ProviderContract {
    /** Runs the category on stores from there. */
    protected InstanceTurnsContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_named_instance_is_taken_before_older_ones() {
        List.of("a", "b", "c").forEach(steps::create);
        List.of("a", "b", "c").forEach(steps::poke);

        LockedTurn turn = fetch("c").orElseThrow();

        assertThat(turn.item().instance()).isEqualTo("c");
        assertThat(turn.item().messages()).containsExactly(signal("c", "poke"));
        assertThat(turn.item().history()).hasSize(1);
        assertThat(turn.attemptCount()).isEqualTo(1);
        assertThat(List.of(steps.fetch(), steps.fetch()))
                .extracting(other -> other.item().instance())
                .containsExactlyInAnyOrder("a", "b");
        steps.fetchNothing();
    }

    @Test
    void test_named_turn_is_acked_and_given_back_as_any_other() {
        steps.create("x");
        steps.poke("x");

        steps.abandon(fetch("x").orElseThrow());
        LockedTurn again = fetch("x").orElseThrow();
        steps.poke("x");
        steps.ack(again);

        assertThat(again.attemptCount()).isEqualTo(2);
        LockedTurn next = fetch("x").orElseThrow();
        assertThat(next.item().messages()).hasSize(1);
        assertThat(next.attemptCount()).isEqualTo(1);
    }

    @Test
    void test_named_instance_begins_with_its_start() {
        steps.start("queued");
        store().starts(provider())
                .startInstance(InstanceStart.of((WorkItem.StartOrchestration) ContractItems.start("once")));

        for (String instance : List.of("queued", "once")) {
            LockedTurn turn = fetch(instance).orElseThrow();
            assertThat(turn.item().messages()).containsExactly(ContractItems.start(instance));
            assertThat(turn.item().orchestrationName()).isEqualTo("TestOrch");
            assertThat(turn.item().history()).isEmpty();
        }
    }

    @Test
    void test_named_instance_without_messages_gives_nothing() {
        steps.create("x");

        assertThat(fetch("x")).isEmpty();
        assertThat(fetch("unknown")).isEmpty();
    }

    @Test
    void test_named_instance_that_is_locked_gives_nothing() {
        steps.create("x");
        steps.poke("x");
        LockedTurn held = steps.fetch();
        steps.poke("x");

        assertThat(fetch("x")).isEmpty();

        steps.ack(held);
        assertThat(fetch("x")).isPresent();
        assertThat(fetch("x")).isEmpty();
    }

    @Test
    void test_named_instance_whose_lock_lapsed_is_taken() {
        steps.create("x");
        steps.poke("x");
        assertThat(fetch("x")).isPresent();
        steps.pass(ProviderSteps.LONG.plusSeconds(1));

        assertThat(fetch("x").orElseThrow().attemptCount()).isEqualTo(2);
    }

    @Test
    void test_named_instance_waits_for_its_start_and_for_delayed_messages() {
        steps.poke("x");
        steps.create("y");
        steps.enqueue(signal("y", "later"), Duration.ofSeconds(20));

        assertThat(fetch("x")).isEmpty();
        assertThat(fetch("y")).isEmpty();

        steps.start("x");
        steps.pass(Duration.ofSeconds(21));
        assertThat(fetch("x").orElseThrow().item().messages()).hasSize(2);
        assertThat(fetch("y").orElseThrow().item().messages()).hasSize(1);
    }

    @Test
    void test_of_concurrent_fetches_of_one_instance_one_has_it() throws Exception {
        steps.create("x");
        steps.poke("x");
        InstanceTurns turns = turns();

        List<Optional<LockedTurn>> fetched = Racers.race(8, i -> 0, () -> turns.fetch("x", ProviderSteps.LONG));

        assertThat(fetched).filteredOn(Optional::isPresent).hasSize(1);
    }

    private InstanceTurns turns() {
        return store().turns(provider());
    }

    private Optional<LockedTurn> fetch(String instance) {
        return turns().fetch(instance, ProviderSteps.LONG);
    }
}
