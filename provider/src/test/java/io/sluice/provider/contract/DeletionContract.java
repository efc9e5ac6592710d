package io.sluice.provider.contract;

import static io.sluice.provider.contract.ContractItems.completion;
import static io.sluice.provider.contract.ContractItems.event;
import static io.sluice.provider.contract.ContractItems.scheduled;
import static io.sluice.provider.contract.ContractItems.signal;
import static io.sluice.provider.contract.ContractItems.started;
import static io.sluice.provider.contract.ContractItems.startedKind;
import static io.sluice.provider.contract.ProviderSteps.META;
import static io.sluice.provider.contract.ProviderSteps.ackOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.DeleteInstanceResult;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.InstanceTree;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ProviderException;
import io.sluice.provider.work.WorkItem;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A root goes with its whole tree, in one step, and nothing brings it back. */
public abstract class DeletionContract extends ProviderContract {
    /** Runs the category on stores from there. */
    protected DeletionContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_delete_terminal_instances() {
        steps.completed("completed");
        steps.ended("failed", null, "Failed", "no stock");
        steps.ended("cancelled", null, "Failed", "canceled: by the customer");

        DeleteInstanceResult result = admin().deleteInstance("completed", false);
        admin().deleteInstance("failed", false);
        admin().deleteInstance("cancelled", false);

        assertThat(result.instancesDeleted()).isPositive();
        assertThat(result.executionsDeleted()).isPositive();
        assertThat(result.eventsDeleted()).isPositive();
        areGone("completed", "failed", "cancelled");
    }

    @Test
    void test_delete_running_rejected_force_succeeds() {
        steps.create("x");

        ProviderException refused = ProviderSteps.permanentFailureOf(() -> admin().deleteInstance("x", false));
        arePresent("x");
        DeleteInstanceResult result = admin().deleteInstance("x", true);

        assertThat(refused).hasMessageMatching("(?is).*running.*");
        assertThat(result.instancesDeleted()).isPositive();
        areGone("x");
    }

    @Test
    void test_delete_nonexistent_instance() {
        assertThat(ProviderSteps.permanentFailureOf(() -> admin().deleteInstance("unknown", false)))
                .hasMessageMatching("(?is).*not found.*");
    }

    @Test
    void test_delete_cleans_queues_and_locks() {
        steps.create("x");
        steps.complete("x", 1);
        steps.start("x");
        steps.act("x", 2);

        DeleteInstanceResult result = admin().deleteInstance("x", false);
        steps.enqueue(
                new WorkItem.StartOrchestration("x", "ReusedOrch", "{\"again\":true}", "2.0.0", null, null, null, 1));
        LockedTurn turn = steps.fetch();
        steps.ack(ackOf(turn, event("x", 1, 1, startedKind("ReusedOrch", "2.0.0")))
                .withMetadata(ExecutionMetadata.NONE.withOrchestration("ReusedOrch", "2.0.0")));

        assertThat(result.queueMessagesDeleted()).isPositive();
        assertThat(turn.item().orchestrationName()).isEqualTo("ReusedOrch");
        assertThat(turn.item().messages()).as("nothing of the first life").hasSize(1);
        assertThat(admin().getInstanceInfo("x").orchestrationName()).isEqualTo("ReusedOrch");
        steps.fetchNoWork();
    }

    @Test
    void test_cascade_delete_hierarchy() {
        completedTree();

        for (boolean force : List.of(false, true)) {
            assertThat(ProviderSteps.failureOf(() -> admin().deleteInstance("child1", force)))
                    .hasMessageMatching("(?is).*(sub-orch|root|parent).*");
        }
        ProviderSteps.failureOf(() -> admin().deleteInstance("grandchild", false));
        arePresent("root", "child1", "child2", "grandchild");
        DeleteInstanceResult result = admin().deleteInstance("root", false);

        assertThat(result.executionsDeleted()).isGreaterThanOrEqualTo(4);
        areGone("root", "child1", "child2", "grandchild");
    }

    @Covers("wire 27")
    @Test
    void test_force_delete_prevents_ack_recreation() {
        steps.create("x");
        steps.enqueue(signal("x", "go"));
        LockedTurn turn = steps.fetch();
        admin().deleteInstance("x", true);

        ProviderSteps.failureOf(() -> steps.ack(turn, event("x", 1, 2, scheduled("Late"))));

        areGone("x");
        assertThat(provider().read("x")).isEmpty();
    }

    @Test
    void test_list_children() {
        completedTree();

        assertThat(admin().listChildren("root")).containsExactlyInAnyOrder("child1", "child2");
        assertThat(admin().listChildren("child1")).containsExactly("grandchild");
        assertThat(admin().listChildren("grandchild")).isEmpty();
        assertThat(admin().listChildren("unknown")).isEmpty();
    }

    @Test
    void test_delete_get_parent_id() {
        steps.completed("root");
        steps.completed("child", "root");

        assertThat(admin().getParentId("root")).isEmpty();
        assertThat(admin().getParentId("child")).contains("root");
        ProviderSteps.failureOf(() -> admin().getParentId("unknown"));
    }

    @Test
    void test_delete_get_instance_tree() {
        completedTree();

        InstanceTree tree = admin().getInstanceTree("root");
        InstanceTree leaf = admin().getInstanceTree("grandchild");

        assertThat(tree.rootId()).isEqualTo("root");
        assertThat(tree.size()).isEqualTo(4);
        assertThat(tree.allIds()).containsExactlyInAnyOrder("root", "child1", "child2", "grandchild");
        assertThat(leaf.size()).isEqualTo(1);
        assertThat(leaf.isRootOnly()).isTrue();
    }

    @Test
    void test_delete_instances_atomic() {
        steps.completed("a");
        steps.completed("b");
        steps.completed("c");

        DeleteInstanceResult result = admin().deleteInstancesAtomic(List.of("a", "b", "c"), false);

        assertThat(result.instancesDeleted()).isPositive();
        assertThat(result.executionsDeleted()).isGreaterThanOrEqualTo(3);
        areGone("a", "b", "c");
    }

    @Test
    void test_delete_instances_atomic_force() {
        steps.completed("completed");
        steps.create("running");
        List<String> both = List.of("completed", "running");

        ProviderSteps.failureOf(() -> admin().deleteInstancesAtomic(both, false));
        arePresent("completed", "running");
        admin().deleteInstancesAtomic(both, true);

        areGone("completed", "running");
    }

    @Test
    void test_delete_instances_atomic_orphan_detection() {
        steps.completed("root");
        steps.completed("child", "root");

        ProviderException refused =
                ProviderSteps.failureOf(() -> admin().deleteInstancesAtomic(List.of("root"), false));
        arePresent("root", "child");
        admin().deleteInstancesAtomic(List.of("root", "child"), false);

        assertThat(refused).hasMessageMatching("(?is).*(child|orphan|tree).*");
        areGone("root", "child");
    }

    @Test
    void test_stale_activity_after_delete_recreate() {
        runningWithActivity();
        LockedWorkItem stale = steps.fetchWork();
        admin().deleteInstance("x", true);
        runningWithActivity();

        ProviderSteps.failureOf(() -> steps.done(stale));

        steps.enqueue(signal("x", "go"));
        assertThat(steps.fetch().item().messages())
                .as("no completion of the first life")
                .doesNotContain(completion("x", 2))
                .containsExactly(signal("x", "go"));
    }

    private void runningWithActivity() {
        steps.start("x");
        steps.ack(ackOf(steps.fetch(), started("x"), event("x", 1, 2, scheduled("TestActivity")))
                .withMetadata(META)
                .withWorkerItems(List.of(ContractItems.activity("x", 2))));
    }

    private void completedTree() {
        steps.completed("root");
        steps.completed("child1", "root");
        steps.completed("child2", "root");
        steps.completed("grandchild", "child1");
    }

    private void areGone(String... instances) {
        for (String instance : instances) {
            ProviderSteps.failureOf(() -> admin().getInstanceInfo(instance));
        }
    }

    private void arePresent(String... instances) {
        for (String instance : instances) {
            assertThat(admin().getInstanceInfo(instance).instanceId()).isEqualTo(instance);
        }
    }
}
