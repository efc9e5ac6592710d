package io.sluice.provider.contract;

import static io.sluice.provider.contract.ContractItems.event;
import static io.sluice.provider.contract.ContractItems.started;
import static io.sluice.provider.contract.ContractItems.startedKind;
import static io.sluice.provider.contract.ProviderSteps.META;
import static io.sluice.provider.contract.ProviderSteps.ackOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.ExecutionInfo;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.InstanceInfo;
import io.sluice.provider.InstanceStats;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.CarriedEvent;
import io.sluice.provider.history.EventKind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is stored can be listed, described, counted and measured. */
public abstract class ManagementContract extends ProviderContract {
    /** Runs the category on stores from there. */
    protected ManagementContract(ContractStores stores) {
        super(stores);
    }

    @Test
    void test_list_instances() {
        steps.create("a");
        steps.create("b");
        steps.create("c");

        assertThat(admin().listInstances()).contains("a", "b", "c");
    }

    @Test
    void test_list_instances_by_status() {
        steps.completed("x");

        assertThat(admin().listInstancesByStatus("Completed")).contains("x");
        assertThat(admin().listInstancesByStatus("NonExistentStatus")).isEmpty();
    }

    @Test
    void test_list_executions() {
        steps.start("x");
        steps.ack(steps.fetch(), started("x"));

        assertThat(admin().listExecutions("x")).contains(1L);
    }

    @Test
    void test_get_instance_info() {
        steps.start("x");
        steps.ack(ackOf(steps.fetch(), event("x", 1, 1, startedKind("InfoOrch", "2.0.0")))
                .withMetadata(ExecutionMetadata.NONE.withOrchestration("InfoOrch", "2.0.0")));

        InstanceInfo info = admin().getInstanceInfo("x");

        assertThat(info.instanceId()).isEqualTo("x");
        assertThat(info.orchestrationName()).isEqualTo("InfoOrch");
        assertThat(info.orchestrationVersion()).isEqualTo("2.0.0");
        assertThat(info.currentExecutionId()).isEqualTo(1);
    }

    @Test
    void test_get_execution_info() {
        steps.start("x");
        steps.ack(ackOf(steps.fetch(), event("another", 1, 1, startedKind("TestOrch", "1.0.0")))
                .withMetadata(ExecutionMetadata.NONE.withStatus("Completed", "result")));

        ExecutionInfo info = admin().getExecutionInfo("x", 1);

        assertThat(info.executionId()).isEqualTo(1);
        assertThat(info.status()).isEqualTo("Completed");
        assertThat(info.output()).isEqualTo("result");
    }

    @Test
    void test_get_system_metrics() {
        long before = admin().getSystemMetrics().totalInstances();

        steps.start("x");
        steps.ack(ackOf(steps.fetch(), started("another")).withMetadata(META));

        assertThat(admin().getSystemMetrics().totalInstances()).isGreaterThan(before);
        assertThat(admin().getSystemMetrics().totalEvents()).isPositive();
    }

    @Test
    void test_get_queue_depths() {
        long before = admin().getQueueDepths().orchestratorQueue();

        steps.start("x");

        assertThat(admin().getQueueDepths().orchestratorQueue()).isGreaterThan(before);
    }

    @Test
    void test_get_instance_stats_nonexistent() {
        assertThat(provider().getInstanceStats("unknown")).isEmpty();
    }

    @Test
    void test_get_instance_stats_history() {
        steps.create("x");

        InstanceStats stats = stats();

        assertThat(stats.historyEventCount()).isPositive();
        assertThat(stats.historySizeBytes()).isPositive();
        assertThat(stats.kvUserKeyCount()).isZero();
        assertThat(stats.kvTotalValueBytes()).isZero();
        assertThat(stats.queuePendingCount()).isZero();
    }

    @Test
    void test_get_instance_stats_kv() {
        steps.create("x");
        steps.poke("x");
        steps.ack(TurnAck.of(steps.fetch().lockToken(), 1)
                .withHistory(ContractItems.events(
                        "x",
                        1,
                        2,
                        new EventKind.KeyValueSet("k1", "aaa", 0),
                        new EventKind.KeyValueSet("k2", "bbbbb", 0),
                        new EventKind.OrchestrationCompleted("done")))
                .withMetadata(ExecutionMetadata.NONE.withStatus("Completed", "done")));

        assertThat(stats().kvUserKeyCount()).isEqualTo(2);
        assertThat(stats().kvTotalValueBytes()).isEqualTo(8);
    }

    @Test
    void test_get_instance_stats_carry_forward() {
        List<CarriedEvent> carried =
                List.of(new CarriedEvent("a", "1"), new CarriedEvent("b", "2"), new CarriedEvent("c", "3"));
        steps.start("x");
        steps.ack(ackOf(
                        steps.fetch(),
                        event(
                                "x",
                                1,
                                1,
                                new EventKind.OrchestrationStarted(
                                        "TestOrch", "1.0.0", "{}", null, null, null, carried, null)))
                .withMetadata(META));

        InstanceStats stats = stats();

        assertThat(stats.queuePendingCount()).isEqualTo(3);
        assertThat(stats.historyEventCount()).isPositive();
        assertThat(stats.historySizeBytes()).isPositive();
        assertThat(stats.kvUserKeyCount()).isZero();
    }

    @Test
    void test_get_instance_stats_kv_delta_only() {
        steps.create("x");

        steps.turn("x", 1, new EventKind.KeyValueSet("dk1", "xxx", 0), new EventKind.KeyValueSet("dk2", "yyyyyy", 0));

        assertThat(stats().kvUserKeyCount()).isEqualTo(2);
        assertThat(stats().kvTotalValueBytes()).isEqualTo(9);
        assertThat(stats().queuePendingCount()).isZero();
    }

    @Test
    void test_get_instance_stats_kv_merged() {
        steps.create("x");
        steps.turn("x", 1, new EventKind.KeyValueSet("mk1", "aaa", 0), new EventKind.KeyValueSet("mk2", "bb", 0));
        InstanceStats running = stats();

        steps.poke("x");
        steps.ack(TurnAck.of(steps.fetch().lockToken(), 1)
                .withHistory(ContractItems.events("x", 1, 500, new EventKind.KeyValueSet("mk1", "zzzzz", 0)))
                .withMetadata(ExecutionMetadata.NONE.withStatus("Completed", "done")));

        assertThat(running.kvUserKeyCount()).isEqualTo(2);
        assertThat(running.kvTotalValueBytes()).isEqualTo(5);
        assertThat(stats().kvUserKeyCount()).isEqualTo(2);
        assertThat(stats().kvTotalValueBytes())
                .as("a key counts once, with its last value")
                .isEqualTo(7);
        assertThat(stats().queuePendingCount()).isZero();
    }

    private InstanceStats stats() {
        return provider().getInstanceStats("x").orElseThrow();
    }
}
