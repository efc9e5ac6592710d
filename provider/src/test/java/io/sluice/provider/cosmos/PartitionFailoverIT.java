package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.started;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.work.WorkItem;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where partitions fail over by themselves, the SDK repeats a write that got no answer in the next region. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PartitionFailoverIT {
    private CosmosEmulator emulator;
    private CosmosStore store;
    private CosmosStore anotherStore;
    private CosmosProvider provider;

    @BeforeEach
    void open() {
        emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withRegions("North", "South"));
        emulator.topology().letPartitionsFailOver();
        String endpoint = emulator.endpoint().replace("127.0.0.1", "localhost");
        CosmosStoreConfig config = new CosmosStoreConfig(endpoint, emulator.key(), "failover", "failover")
                .withConnectivity(new Connectivity(Connectivity.Mode.GATEWAY, List.of("North", "South"), ""));
        CosmosStore.provision(config);
        store = CosmosStore.open(config);
        anotherStore = CosmosStore.open(config);
        provider = provider(store);
    }

    private static CosmosProvider provider(CosmosStore store) {
        return CosmosProvider.builder().store(store).reconciler(false).build();
    }

    @AfterEach
    void close() {
        provider.close();
        store.close();
        anotherStore.close();
        emulator.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 503})
    void an_ack_that_went_through_before_the_sdk_repeated_it_is_not_reported_lost(int status) {
        LockedTurn turn = firstTurn();
        answerTheNextWriteWith(status);

        provider.ackOrchestrationItem(firstAck(turn));

        assertThat(regionsOfWrites()).as("the SDK itself sent it again").containsExactly("North", "South");
        assertThat(provider.read("order-1")).containsExactly(started("order-1"));
    }

    /** 408/21013: its region has applied it, and throttled the requests that ask whether the others have it. */
    @Test
    void an_ack_whose_replication_was_throttled_is_settled_by_reading() {
        LockedTurn turn = firstTurn();
        emulator.requests().clear();
        emulator.faults().answerInstead(PartitionFailoverIT::isWrite, 1, 408, 21013);

        provider.ackOrchestrationItem(firstAck(turn));

        assertThat(regionsOfWrites()).as("nobody sent it again").containsExactly("North");
        assertThat(provider.read("order-1")).containsExactly(started("order-1"));
    }

    @Test
    void an_ack_whose_connection_broke_before_the_sdk_repeated_it_is_not_reported_lost() {
        LockedTurn turn = firstTurn();
        emulator.requests().clear();
        emulator.faults().loseAnswer(PartitionFailoverIT::isWrite, 1);

        provider.ackOrchestrationItem(firstAck(turn));

        assertThat(regionsOfWrites()).as("the SDK itself sent it again").containsExactly("North", "South");
        assertThat(provider.read("order-1")).containsExactly(started("order-1"));
    }

    @Test
    void an_ack_that_went_through_before_its_repetition_was_throttled_is_not_sent_a_third_time() {
        LockedTurn turn = firstTurn();
        answerTheNextWriteWith(408);
        emulator.faults().refuse(request -> isWrite(request) && request.region().equals("South"), 1, 429, 3200);

        provider.ackOrchestrationItem(firstAck(turn));

        assertThat(regionsOfWrites()).containsExactly("North", "South");
        assertThat(provider.read("order-1")).containsExactly(started("order-1"));
    }

    @Test
    void an_ack_that_only_the_repetition_applied_is_applied_once() {
        LockedTurn turn = firstTurn();
        emulator.requests().clear();
        emulator.faults().refuse(PartitionFailoverIT::isWrite, 1, 503, 0);

        provider.ackOrchestrationItem(firstAck(turn));

        assertThat(regionsOfWrites()).containsExactly("North", "South");
        assertThat(provider.read("order-1")).containsExactly(started("order-1"));
    }

    @Test
    void an_ack_that_came_too_late_is_reported_lost_after_a_repetition_too() {
        provider.ackOrchestrationItem(firstAck(firstTurn()));
        provider.enqueueForOrchestrator(raised("order-1", "go"), null);
        LockedTurn turn = takeTurn(provider);
        try (CosmosProvider other = provider(anotherStore)) {
            other.asManagementCapability().orElseThrow().deleteInstance("order-1", true);
        }
        TurnAck late = TurnAck.of(turn.lockToken(), 1)
                .withHistory(List.of(event("order-1", 2, new EventKind.ExternalEvent("late", "{}"))));
        emulator.faults().refuse(PartitionFailoverIT::isWrite, 1, 503, 0);

        assertThatThrownBy(() -> provider.ackOrchestrationItem(late))
                .asInstanceOf(InstanceOfAssertFactories.type(ProviderException.class))
                .returns(false, ProviderException::retryable);
    }

    @Test
    void a_message_whose_enqueue_the_sdk_repeated_is_queued_once() {
        answerTheNextWriteWith(408);

        provider.enqueueForOrchestrator(start("order-1"), null);

        assertThat(regionsOfWrites()).startsWith("North", "South");
        assertThat(takeTurn(provider).item().messages()).hasSize(1);
    }

    @Test
    void an_activity_whose_ack_the_sdk_repeated_is_completed_once() {
        provider.ackOrchestrationItem(firstAck(firstTurn()));
        provider.enqueueForWorker(activity("order-1", 1));
        LockedWorkItem item = takeActivity(provider);
        answerTheNextWriteWith(503);

        provider.ackWorkItem(item.lockToken(), new WorkItem.ActivityCompleted("order-1", 1, 1, "paid"));

        assertThat(regionsOfWrites()).containsExactly("North", "South");
        assertThat(takeTurn(provider).item().messages()).hasSize(1);
    }

    private LockedTurn firstTurn() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        return takeTurn(provider);
    }

    /** The write goes through; its sender is told otherwise. */
    private void answerTheNextWriteWith(int status) {
        emulator.requests().clear();
        emulator.faults().answerInstead(PartitionFailoverIT::isWrite, 1, status, 0);
    }

    private List<String> regionsOfWrites() {
        return emulator.requests()
                .matching(PartitionFailoverIT::isWrite)
                .map(LoggedRequest::region)
                .toList();
    }

    private static boolean isWrite(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH;
    }
}
