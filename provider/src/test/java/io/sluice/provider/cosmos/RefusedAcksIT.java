package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.beginChild;
import static io.sluice.provider.cosmos.StoreFixture.beginInstance;
import static io.sluice.provider.cosmos.StoreFixture.completed;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.InstanceInfo;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ProviderException;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An ack that would leave somebody waiting for ever, or a tree that nobody can delete, writes nothing. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RefusedAcksIT {
    private static final ExecutionMetadata META = ExecutionMetadata.NONE.withOrchestration("Order", "1.0.0");

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosProvider provider;
    private CosmosStore store;

    @BeforeEach
    void open() {
        provider = fixture.provider();
        store = fixture.store();
    }

    static Stream<WorkItem> noCompletions() {
        return Stream.of(
                start("order-1"),
                raised("order-1", "x"),
                activity("order-1", 5),
                new WorkItem.CancelInstance("order-1", "why"),
                new WorkItem.TimerFired("order-1", 1, 2, 3),
                new WorkItem.SubOrchCompleted("order-1", 1, 2, "done"),
                new WorkItem.QueueMessage("order-1", "queue", "x"));
    }

    @ParameterizedTest
    @MethodSource("noCompletions")
    void an_activity_is_acked_by_a_completion_and_nothing_else(WorkItem other) {
        provider.enqueueForWorker(activity("order-1", 2));
        LockedWorkItem work = takeActivity(provider);

        assertRefused(
                () -> provider.ackWorkItem(work.lockToken(), other),
                "completion must be ActivityCompleted or ActivityFailed, was " + other.variant());

        assertThat(fixture.documents(store, "order-1", "orch_queue")).isEmpty();
        provider.ackWorkItem(work.lockToken(), completed("order-1", 2));
        assertThat(fixture.documents(store, "order-1", "orch_queue")).hasSize(1);
    }

    @Test
    void a_completion_is_of_the_activity_that_is_named() {
        provider.enqueueForWorker(activity("order-1", 2));
        LockedWorkItem work = takeActivity(provider);
        var named = new ScheduledActivityIdentifier("order-1", 1, 2);
        var failed = new WorkItem.ActivityFailed(
                "order-1", 7, 2, new ErrorDetails.Infrastructure("charge", "it failed", true));

        assertRefused(() -> provider.ackWorkItem(work.lockToken(), named, completed("order-2", 2)), "order-2");
        assertRefused(() -> provider.ackWorkItem(work.lockToken(), named, completed("order-1", 3)), "=3");
        assertRefused(() -> provider.ackWorkItem(work.lockToken(), named, failed), "=7");

        provider.ackWorkItem(work.lockToken(), named, completed("order-1", 2));
    }

    @Test
    void an_activity_among_the_messages_of_a_turn_is_refused() {
        beginInstance(provider, "order-1");
        TurnAck ack =
                nextTurn("order-1").withOrchestratorItems(List.of(raised("order-2", "x"), activity("order-1", 9)));

        assertRefused(
                () -> provider.ackOrchestrationItem(ack),
                "orchestratorItems[1] must be a message to an orchestration",
                "It was ActivityExecute");

        assertThat(fixture.documents(store, "order-1", "outbox_intent")).isEmpty();
        provider.ackOrchestrationItem(ack.withOrchestratorItems(List.of()));
    }

    @Test
    void a_message_among_the_activities_of_a_turn_is_refused() {
        beginInstance(provider, "order-1");
        TurnAck ack = nextTurn("order-1").withWorkerItems(List.of(activity("order-1", 9), raised("order-1", "x")));

        assertRefused(
                () -> provider.ackOrchestrationItem(ack),
                "workerItems[1] must be ActivityExecute",
                "It was ExternalRaised");

        provider.ackOrchestrationItem(ack.withWorkerItems(List.of()));
    }

    @Test
    void no_instance_is_its_own_parent() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        LockedTurn turn = takeTurn(provider);
        TurnAck ack = firstAck(turn).withMetadata(META.withParent("order-1"));

        assertRefused(
                () -> provider.ackOrchestrationItem(ack),
                "metadata.parentInstanceId must be another instance",
                "order-1");

        provider.ackOrchestrationItem(ack.withMetadata(META));
        assertThat(info("order-1").parentInstanceId()).isNull();
    }

    @Test
    void a_later_ack_makes_no_root_a_child() {
        beginInstance(provider, "order-1");

        provider.ackOrchestrationItem(nextTurn("order-1").withMetadata(META.withParent("order-2")));
        assertThat(info("order-1").parentInstanceId()).isNull();
        provider.ackOrchestrationItem(
                nextTurn("order-1").withMetadata(META.withParent("order-2").withStatus("Completed", "x")));
        assertThat(info("order-1").parentInstanceId()).isNull();
        provider.ackOrchestrationItem(nextTurn("order-1").withMetadata(META.withParent("order-2")));

        assertThat(info("order-1").parentInstanceId()).isNull();
        admin().deleteInstance("order-1", false);
    }

    @Test
    void a_later_ack_gives_a_child_no_other_parent() {
        beginChild(provider, "child", "order-1");

        provider.ackOrchestrationItem(nextTurn("child").withMetadata(META.withParent("order-2")));

        assertThat(info("child").parentInstanceId()).isEqualTo("order-1");
    }

    @Test
    void a_child_whose_first_turn_was_given_back_or_handed_over_gets_its_parent() {
        provider.enqueueForOrchestrator(start("child"), null);
        provider.abandonOrchestrationItem(takeTurn(provider).lockToken(), null, true);
        TurnAck first = firstAck(takeTurn(provider)).withMetadata(META.withParent("order-1"));

        fixture.provider().ackOrchestrationItem(first);

        assertThat(info("child").parentInstanceId()).isEqualTo("order-1");
    }

    @Test
    void an_empty_name_leaves_the_name_as_it_is() {
        beginInstance(provider, "order-1");

        provider.ackOrchestrationItem(
                nextTurn("order-1").withMetadata(ExecutionMetadata.NONE.withOrchestration("", "1.0.0")));

        assertThat(info("order-1").orchestrationName()).isEqualTo("Order");
    }

    private TurnAck nextTurn(String instance) {
        provider.enqueueForOrchestrator(raised(instance, "next"), null);
        return TurnAck.of(takeTurn(provider).lockToken(), 1);
    }

    private InstanceInfo info(String instance) {
        return admin().getInstanceInfo(instance);
    }

    private ProviderAdmin admin() {
        return provider.asManagementCapability().orElseThrow();
    }

    private static void assertRefused(ThrowingCallable call, String... words) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContainingAll(words);
    }
}
