package io.sluice.provider.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.InstanceFilter;
import io.sluice.provider.PruneOptions;
import io.sluice.provider.PruneResult;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pruning takes finished executions, and never the current one. */
public abstract class PruneContract extends ProviderContract {
    /** Runs the category on stores from there. */
    protected PruneContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_prune_options_combinations() {
        steps.executions("x", 4, "Completed");
        steps.executions("y", 3, "Completed");

        PruneResult result = admin().pruneExecutions("x", PruneOptions.keepLast(2));
        admin().pruneExecutions("y", PruneOptions.ALL_FINISHED);

        assertThat(result.instancesProcessed()).isEqualTo(1);
        assertThat(admin().listExecutions("x")).containsExactly(3L, 4L);
        assertThat(admin().listExecutions("y")).containsExactly(3L);
    }

    @Test
    void test_prune_safety() {
        steps.executions("x", 3, "Completed");
        admin().pruneExecutions("x", PruneOptions.keepLast(0));

        assertThat(admin().getInstanceInfo("x").currentExecutionId()).isEqualTo(3);
        ProviderSteps.failureOf(() -> admin().pruneExecutions("unknown", PruneOptions.ALL_FINISHED));
        for (PruneOptions options :
                List.of(PruneOptions.ALL_FINISHED, PruneOptions.keepLast(0), PruneOptions.keepLast(1))) {
            String instance = "kept-" + options.keepLast();
            steps.executions(instance, 4, "Completed");

            PruneResult result = admin().pruneExecutions(instance, options);

            assertThat(admin().listExecutions(instance))
                    .as("left with %s", options)
                    .containsExactly(4L);
            assertThat(result.executionsDeleted()).isGreaterThanOrEqualTo(3);
        }
    }

    @Test
    void test_prune_bulk() {
        steps.executions("p0", 4, "Completed");
        steps.executions("p1", 4, "Completed");
        steps.executions("p2", 4, "Completed");

        PruneResult result =
                admin().pruneExecutionsBulk(InstanceFilter.of(List.of("p0", "p1")), PruneOptions.keepLast(1));

        assertThat(result.instancesProcessed()).isEqualTo(2);
        assertThat(result.executionsDeleted()).isGreaterThanOrEqualTo(4);
        assertThat(admin().listExecutions("p0")).hasSize(1);
        assertThat(admin().listExecutions("p1")).hasSize(1);
        assertThat(admin().listExecutions("p2")).hasSize(4);
    }

    @Test
    void test_prune_bulk_includes_running_instances() {
        steps.executions("x", 3, "Running");
        assertThat(admin().getInstanceInfo("x").status()).isEqualTo("Running");
        assertThat(admin().getInstanceInfo("x").currentExecutionId()).isEqualTo(3);

        PruneResult result = admin().pruneExecutionsBulk(InstanceFilter.of(List.of("x")), PruneOptions.keepLast(1));

        assertThat(result.instancesProcessed()).isEqualTo(1);
        assertThat(result.executionsDeleted()).isEqualTo(2);
        assertThat(admin().listExecutions("x")).containsExactly(3L);
        assertThat(admin().getInstanceInfo("x").status()).isEqualTo("Running");
    }
}
