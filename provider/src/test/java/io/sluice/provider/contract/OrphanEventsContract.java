package io.sluice.provider.contract;

import static io.sluice.provider.contract.ContractItems.signal;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.Provider;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Events to instances that never started are dropped where the caller wants it, and wait for a start elsewhere. */
public abstract class OrphanEventsContract extends ProviderContract {
    /** Runs the category on stores from there. */
    protected OrphanEventsContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_event_to_an_unknown_instance_is_dropped_where_asked_for() {
        Provider dropping = store().droppingOrphanEvents();
        dropping.enqueueForOrchestrator(signal("x", "early"), null);
        dropping.enqueueForOrchestrator(new WorkItem.QueueMessage("x", "payments", "100"), null);

        assertThat(fetch(dropping)).isEmpty();
        dropping.enqueueForOrchestrator(ContractItems.start("x"), null);

        assertThat(fetch(dropping).orElseThrow().item().messages()).containsExactly(ContractItems.start("x"));
    }

    @Test
    void test_event_to_an_unknown_instance_waits_for_its_start_otherwise() {
        steps.enqueue(signal("x", "early"));

        steps.fetchNothing();
        steps.start("x");

        assertThat(steps.fetch().item().messages())
                .containsExactlyInAnyOrder(signal("x", "early"), ContractItems.start("x"));
    }

    @Test
    void test_event_is_not_dropped_while_a_start_is_put_off() {
        Provider dropping = store().droppingOrphanEvents();
        assertThat(fetch(dropping)).isEmpty();
        dropping.enqueueForOrchestrator(ContractItems.start("x"), Duration.ofSeconds(20));
        dropping.enqueueForOrchestrator(signal("x", "early"), null);

        assertThat(fetch(dropping)).isEmpty();
        steps.pass(Duration.ofSeconds(21));

        assertThat(fetch(dropping).orElseThrow().item().messages()).hasSize(2);
    }

    @Test
    void test_event_with_an_early_cancellation_is_not_dropped() {
        Provider dropping = store().droppingOrphanEvents();
        dropping.enqueueForOrchestrator(signal("x", "early"), null);
        dropping.enqueueForOrchestrator(new WorkItem.CancelInstance("x", "no"), null);

        assertThat(fetch(dropping)).isEmpty();
        dropping.enqueueForOrchestrator(ContractItems.start("x"), null);

        assertThat(fetch(dropping).orElseThrow().item().messages()).hasSize(3);
    }

    @Test
    void test_event_to_an_instance_that_runs_or_ended_is_not_dropped() {
        steps.create("runs");
        steps.completed("ended");
        Provider dropping = store().droppingOrphanEvents();
        dropping.enqueueForOrchestrator(signal("runs", "a"), null);
        dropping.enqueueForOrchestrator(signal("ended", "b"), null);

        assertThat(fetch(dropping)).isPresent();
        assertThat(fetch(dropping)).isPresent();
    }

    private static Optional<LockedTurn> fetch(Provider from) {
        return from.fetchOrchestrationItem(ProviderSteps.LONG, Duration.ZERO, null);
    }
}
