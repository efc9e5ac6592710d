package io.sluice.provider.contract;

import static io.sluice.provider.contract.ContractItems.childStart;
import static io.sluice.provider.contract.ContractItems.event;
import static io.sluice.provider.contract.ContractItems.start;
import static io.sluice.provider.contract.ContractItems.started;
import static io.sluice.provider.contract.ContractItems.startedKind;
import static io.sluice.provider.contract.ProviderSteps.META;
import static io.sluice.provider.contract.ProviderSteps.ackOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.OrchestrationItem;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An instance comes into being with its first ack, and not before. */
public abstract class InstanceCreationContract extends ProviderContract {
    /** Runs the category on stores from there. */
    protected InstanceCreationContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_instance_creation_via_metadata() {
        steps.start("instance-A");
        LockedTurn first = steps.fetch();
        steps.ack(ackOf(first, event("instance-A", 1, 1, startedKind("TestOrch", "2.0.0")))
                .withMetadata(ExecutionMetadata.NONE.withOrchestration("TestOrch", "2.0.0")));
        steps.start("instance-A");
        LockedTurn second = steps.fetch();
        steps.ack(second);

        assertThat(first.item().instance()).isEqualTo("instance-A");
        assertThat(first.item().orchestrationName()).isEqualTo("TestOrch");
        assertThat(first.item().executionId()).isEqualTo(1);
        assertThat(first.item().history()).isEmpty();
        assertThat(second.item().orchestrationName()).isEqualTo("TestOrch");
        assertThat(second.item().version()).as("the version the metadata gave").isEqualTo("2.0.0");
        assertThat(second.item().executionId()).isEqualTo(1);
        assertThat(second.item().history()).hasSize(1);
    }

    @Test
    void test_no_instance_creation_on_enqueue() {
        steps.start("instance-B");

        LockedTurn turn = steps.fetch();

        assertThat(turn.item().instance()).isEqualTo("instance-B");
        steps.ack(ackOf(turn, started("instance-B")).withMetadata(META));
    }

    @Test
    void test_null_version_handling() {
        steps.enqueue(start("x", "TestOrch", null, 1));
        steps.ack(ackOf(steps.fetch(), event("x", 1, 1, startedKind("TestOrch", "3.0.0")))
                .withMetadata(ExecutionMetadata.NONE.withOrchestration("TestOrch", "3.0.0")));

        steps.start("x");

        assertThat(steps.fetch().item().version()).isEqualTo("3.0.0");
    }

    @Test
    void test_sub_orchestration_instance_creation() {
        String child = "parent-instance::child-instance";
        steps.start("parent-instance");
        steps.ack(ackOf(steps.fetch(), started("parent-instance"))
                .withMetadata(META)
                .withOrchestratorItems(List.of(childStart(child, "ChildOrch", "parent-instance"))));

        LockedTurn first = steps.fetchOf(child);
        steps.ack(ackOf(first, event(child, 1, 1, startedKind("ChildOrch", "1.5.0")))
                .withMetadata(ExecutionMetadata.NONE.withOrchestration("ChildOrch", "1.5.0")));
        steps.enqueue(start(child, "ChildOrch", null, 1));
        OrchestrationItem second = steps.fetchOf(child).item();

        assertThat(first.item().orchestrationName()).isEqualTo("ChildOrch");
        assertThat(second.version()).isEqualTo("1.5.0");
    }
}
