package io.sluice.benchmarks.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WaitingInstancesIT {
    private static final Duration LOCK = Duration.ofSeconds(30);

    @Test
    void they_wait_as_a_runtime_would_have_left_them() {
        try (var emulated = EmulatedStore.start(1)) {
            var container = emulated.container("waiting");
            var waiting = new WaitingInstances(container, 8);
            waiting.write(0, 2);
            try (var provider = CosmosProvider.builder().config(container).build()) {
                assertThat(provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null))
                        .as("nothing is due")
                        .isEmpty();
                provider.enqueueForOrchestrator(new WorkItem.ExternalRaised(WaitingInstances.id(1), "go", "{}"), null);

                var turn = provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null);

                assertThat(turn).hasValueSatisfying(locked -> {
                    assertThat(locked.item().instance()).isEqualTo(WaitingInstances.id(1));
                    assertThat(locked.item().orchestrationName()).isEqualTo("Order");
                    assertThat(locked.item().history()).hasSize(8);
                    assertThat(locked.item().historyError()).isNull();
                    assertThat(locked.item().messages()).hasSize(1);
                });
                assertThat(provider.asManagementCapability()
                                .orElseThrow()
                                .getQueueDepths()
                                .orchestratorQueue())
                        .as("the timers are there")
                        .isEqualTo(2);
            }
        }
    }
}
