package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.TagFilter;
import io.sluice.provider.work.WorkItem;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * What it costs to find one of many over several physical partitions: everything on the wire is counted, query plans
 * included.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CandidateCostIT {
    private static final int PARTITIONS = 8;
    private static final int READY = 80;
    private static final String TEN_KB = "i".repeat(10 * 1024);

    private CosmosEmulator emulator;
    private CosmosProvider feeder;
    private CosmosProvider provider;

    @BeforeEach
    void open() {
        emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(PARTITIONS));
        var config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "cost", "cost");
        CosmosStore.provision(config);
        feeder = CosmosProvider.builder().reconciler(false).config(config).build();
        provider = CosmosProvider.builder().reconciler(false).config(config).build();
    }

    @AfterEach
    void close() {
        provider.close();
        feeder.close();
        emulator.close();
    }

    @Test
    void a_turn_among_many_is_found_by_one_request_a_partition_without_anybody_elses_content() {
        provider.fetchOrchestrationItem(LOCK, NO_WAIT, null);
        for (int i = 0; i < READY; i++) {
            feeder.enqueueForOrchestrator(large("order-" + i), null);
        }
        emulator.requests().clear();

        LockedTurn turn = takeTurn(provider);

        assertThat(turn.item().messages()).hasSize(1);
        assertNobodyElsesContent();
        assertThat(emulator.requests().all())
                .as("one look at each partition, one at the instance's with the plan that the SDK keeps, and the lock")
                .hasSizeLessThanOrEqualTo(PARTITIONS + 3);
    }

    @Test
    void a_new_instance_needs_no_other_read_and_comes_with_its_content() {
        provider.fetchOrchestrationItem(LOCK, NO_WAIT, null);
        feeder.enqueueForOrchestrator(large("order-1"), null);
        emulator.requests().clear();

        LockedTurn turn = takeTurn(provider);

        assertThat(turn.item().messages()).containsExactly(large("order-1"));
        assertThat(turn.item().orchestrationName()).isEqualTo("Order");
        assertThat(turn.item().version()).isEqualTo("1.0.0");
        assertThat(emulator.requests().all()).hasSizeLessThanOrEqualTo(PARTITIONS * 2 + 1);
        assertThat(queryPlans()).isEmpty();
    }

    @Test
    void an_activity_among_many_is_found_by_one_request_a_partition_without_anybody_elses_content() {
        provider.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.defaultOnly());
        for (int i = 0; i < READY; i++) {
            feeder.enqueueForWorker(activity(i));
        }
        emulator.requests().clear();

        LockedWorkItem work = takeActivity(provider);

        assertThat(((WorkItem.ActivityExecute) work.item()).input()).isEqualTo(TEN_KB);
        assertNobodyElsesContent();
        assertThat(emulator.requests().all())
                .as("one look at each partition and the lock")
                .hasSizeLessThanOrEqualTo(PARTITIONS + 1);
    }

    @Test
    void a_work_item_too_large_for_the_answer_of_a_batch_is_fetched_all_the_same() {
        String large = "i".repeat(700 * 1024);
        WorkItem start = new WorkItem.StartOrchestration("order-1", "Order", large, "1.0.0", null, null, null, 1);
        WorkItem activity = new WorkItem.ActivityExecute("order-1", 1, 2, "charge", large, null, null);
        feeder.enqueueForOrchestrator(start, null);
        feeder.enqueueForWorker(activity);

        LockedTurn turn = takeTurn(provider);
        LockedWorkItem work = takeActivity(provider);

        assertThat(turn.item().messages()).containsExactly(start);
        assertThat(work.item()).isEqualTo(activity);
        assertThat(work.attemptCount()).isEqualTo(1);
    }

    private void assertNobodyElsesContent() {
        assertThat(queryPlans()).isEmpty();
        assertThat(emulator.requests()
                        .matching(
                                request -> request.operation() == RequestKind.QUERY && request.partitionKey() == null))
                .as("ids and times")
                .isNotEmpty()
                .allMatch(request -> request.bytesOut() < TEN_KB.length());
    }

    private List<LoggedRequest> queryPlans() {
        return emulator.requests()
                .matching(request -> request.operation() == RequestKind.QUERY_PLAN && request.partitionKey() == null)
                .toList();
    }

    private static WorkItem large(String instance) {
        return new WorkItem.StartOrchestration(instance, "Order", TEN_KB, "1.0.0", null, null, null, 1);
    }

    private static WorkItem activity(int number) {
        return new WorkItem.ActivityExecute("order-" + number, 1, 2, "charge", TEN_KB, null, null);
    }
}
