package io.sluice.provider.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.DeleteInstanceResult;
import io.sluice.provider.InstanceFilter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bulk deletion takes finished roots that match, each with its tree, and passes over the rest. */
public abstract class BulkDeletionContract extends ProviderContract {
    /** Runs the category on stores from there. */
    protected BulkDeletionContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_delete_instance_bulk_filter_combinations() {
        completed("a", "b", "c", "d", "e");

        assertThat(delete(InstanceFilter.of(List.of("a", "b")))).isEqualTo(2);
        assertThat(admin().listInstances()).containsExactlyInAnyOrder("c", "d", "e");
        assertThat(delete(InstanceFilter.of(List.of("unknown-1", "unknown-2")))).isZero();
        assertThat(delete(InstanceFilter.ALL)).isGreaterThanOrEqualTo(3);
        assertThat(admin().listInstances()).isEmpty();
    }

    @Test
    void test_delete_instance_bulk_safety_and_limits() {
        completed("c0", "c1");
        steps.create("r0");
        steps.create("r1");

        assertThat(delete(InstanceFilter.of(List.of("c0", "c1", "r0", "r1")))).isEqualTo(2);
        assertThat(admin().listInstances()).containsExactlyInAnyOrder("r0", "r1");
        completed("l0", "l1", "l2", "l3");
        InstanceFilter two = new InstanceFilter(List.of("l0", "l1", "l2", "l3"), null, 2);
        assertThat(delete(two)).isEqualTo(2);
        assertThat(delete(two)).isEqualTo(2);
        assertThat(delete(two)).isZero();
    }

    @Test
    void test_delete_instance_bulk_completed_before_filter() {
        steps.completed("reference");
        long before = admin().getInstanceInfo("reference").updatedAtMillis();
        steps.passMillis(10);
        completed("a", "b");
        steps.passMillis(10);
        steps.completed("later");
        long after = admin().getInstanceInfo("later").createdAtMillis();
        List<String> both = List.of("a", "b");

        assertThat(delete(new InstanceFilter(both, before, null))).isZero();
        assertThat(admin().listInstances()).contains("a", "b");
        assertThat(delete(new InstanceFilter(both, after, null))).isEqualTo(2);
        assertThat(admin().listInstances()).containsExactlyInAnyOrder("reference", "later");
    }

    @Test
    void test_delete_instance_bulk_cascades_to_children() {
        completed("parent1", "parent2", "standalone");
        steps.completed("p1-child", "parent1");
        steps.completed("p2-child1", "parent2");
        steps.completed("p2-child2", "parent2");
        steps.completed("p2-child3", "parent2");

        DeleteInstanceResult result =
                admin().deleteInstanceBulk(InstanceFilter.of(List.of("parent1", "parent2", "standalone")));

        assertThat(result.instancesDeleted()).as("children count").isEqualTo(7);
        assertThat(admin().listInstances()).isEmpty();
    }

    private void completed(String... instances) {
        for (String instance : instances) {
            steps.completed(instance);
        }
    }

    private long delete(InstanceFilter filter) {
        return admin().deleteInstanceBulk(filter).instancesDeleted();
    }
}
