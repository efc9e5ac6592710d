package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.beginChild;
import static io.sluice.provider.cosmos.StoreFixture.beginInstance;
import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.started;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.emulator.FaultRule;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.DeleteInstanceResult;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Deletion as a client sees it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DeletionIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosProvider provider;
    private ProviderAdmin admin;
    private StoreContents store;

    @BeforeEach
    void open() {
        provider = fixture.provider();
        admin = provider.asManagementCapability().orElseThrow();
        store = new StoreContents(fixture.store());
    }

    @Test
    @Covers("wire 47")
    void a_finished_instance_is_deleted_with_all_it_owns_and_its_id_begins_anew() {
        beginInstance(provider, "it's");
        provider.enqueueForWorker(activity("it's", 2));
        takeActivity(provider);
        finish("it's");
        provider.enqueueForOrchestrator(raised("it's", "late"), null);

        DeleteInstanceResult result = admin.deleteInstance("it's", false);

        assertThat(result).isEqualTo(new DeleteInstanceResult(1, 1, 2, 2));
        assertThat(store.documentsOf("it's")).isEmpty();
        assertPermanent(() -> admin.getInstanceInfo("it's"), "not found");
        beginInstance(provider, "it's");
        assertThat(provider.read("it's")).containsExactly(started("it's"));
    }

    @Test
    void what_runs_is_deleted_by_force_alone_and_nothing_of_the_tree_before() {
        tree();
        List.of("leaf", "right", "root").forEach(this::finish);
        var before = store.documents();

        assertPermanent(() -> admin.deleteInstance("root", false), "running");
        assertThat(store.documents()).isEqualTo(before);

        assertThat(admin.deleteInstance("root", true).instancesDeleted()).isEqualTo(4);
        assertThat(store.documents()).isEmpty();
    }

    @Test
    void a_child_outside_of_the_list_stops_a_deletion_even_by_force() {
        tree();
        var before = store.documents();

        assertPermanent(() -> admin.deleteInstancesAtomic(List.of("root", "left", "right"), true), "leaf");
        assertThat(store.documents()).isEqualTo(before);

        assertThat(admin.deleteInstancesAtomic(List.of("leaf", "root", "left", "right"), true)
                        .instancesDeleted())
                .isEqualTo(4);
        assertThat(store.documents()).isEmpty();
    }

    @Test
    @Covers("wire 45")
    void ids_without_an_instance_count_for_nothing_but_lose_what_waits_for_them() {
        beginInstance(provider, "there");
        provider.enqueueForOrchestrator(raised("waiting", "a"), null);

        assertThat(admin.deleteInstancesAtomic(List.of("there", "unknown", "waiting", "there"), true))
                .isEqualTo(new DeleteInstanceResult(1, 1, 1, 1));
        assertThat(store.documents()).isEmpty();
        assertThat(admin.deleteInstancesAtomic(List.of(), false)).isEqualTo(DeleteInstanceResult.NOTHING);
        assertThat(admin.deleteInstancesAtomic(List.of("unknown"), false)).isEqualTo(DeleteInstanceResult.NOTHING);
        assertPermanent(() -> admin.deleteInstance("unknown", true), "not found");
    }

    @Test
    void the_first_turn_of_an_instance_fails_too_when_its_id_is_deleted_meanwhile() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        LockedTurn turn = takeTurn(provider);

        assertPermanent(() -> admin.deleteInstancesAtomic(List.of("order-1"), false), "not begun yet: [order-1]");
        assertThat(admin.deleteInstancesAtomic(List.of("order-1"), true))
                .isEqualTo(new DeleteInstanceResult(0, 0, 0, 1));

        assertPermanent(() -> provider.ackOrchestrationItem(firstAck(turn)), "Invalid lock token");
        assertThat(store.documents()).isEmpty();
    }

    @Test
    void what_was_started_and_has_not_begun_is_deleted_by_force_alone() {
        beginInstance(provider, "there");
        finish("there");
        provider.starts().startInstance(InstanceStart.of((WorkItem.StartOrchestration) start("shown")));
        provider.enqueueForOrchestrator(start("queued"), null);
        provider.enqueueForOrchestrator(raised("orphan", "a"), null);
        List<String> all = List.of("there", "shown", "queued", "orphan");
        var before = store.documents();

        assertPermanent(() -> admin.deleteInstancesAtomic(all, false), "running: [shown, queued]");
        assertPermanent(() -> admin.deleteInstancesAtomic(all, false), "not begun yet: [shown, queued]");
        assertThat(store.documents()).isEqualTo(before);

        assertThat(admin.deleteInstancesAtomic(List.of("there", "orphan"), false))
                .isEqualTo(new DeleteInstanceResult(1, 1, 2, 1));
        assertThat(admin.deleteInstancesAtomic(all, true)).isEqualTo(new DeleteInstanceResult(0, 0, 0, 2));
        assertThat(store.documents()).isEmpty();
    }

    @Test
    void a_start_that_comes_while_the_deletion_locks_keeps_the_instance() {
        provider.enqueueForOrchestrator(raised("order-1", "early"), null);

        try (NthRequest locking = NthRequest.doing(
                fixture.emulator(),
                request -> request.operation() == RequestKind.BATCH
                        && request.body().contains("order-1:instance"),
                1,
                () -> provider.enqueueForOrchestrator(start("order-1"), null))) {
            assertPermanent(() -> admin.deleteInstancesAtomic(List.of("order-1"), false), "not begun yet: [order-1]");
            assertThat(locking.happened()).isTrue();
        }

        assertThat(takeTurn(provider).item().messages()).contains(start("order-1"));
    }

    @Test
    void a_deletion_that_gives_way_to_a_child_refuses_no_other_start() {
        CosmosProvider leaving =
                fixture.provider(CosmosProvider.builder().reconciler(false).immediateDelivery(false));
        parentOf(leaving, "root", "delivered", "to-be-delivered");
        IntentOutbox relay = new IntentOutbox(fixture.store().container(), InstantSource.system());
        for (Intent intent : relay.undelivered("root")) {
            if (intent.targetInstance().equals("delivered")) {
                assertThat(relay.deliver(intent)).isInstanceOf(DeliveryOutcome.Delivered.class);
                relay.remove("root", List.of(intent));
            }
        }

        assertPermanent(() -> admin.deleteInstancesAtomic(List.of("root"), true), "[delivered]");

        assertThat(store.receiptsOf("to-be-delivered")).isEmpty();
        assertThat(relay.undelivered("root")).extracting(Intent::targetInstance).containsExactly("to-be-delivered");
    }

    @Test
    void a_turn_of_the_old_life_acks_nothing_in_the_new_one() {
        beginInstance(provider, "order-1");
        provider.enqueueForOrchestrator(raised("order-1", "old"), null);
        LockedTurn old = takeTurn(provider);
        admin.deleteInstance("order-1", true);
        beginInstance(provider, "order-1");
        provider.enqueueForOrchestrator(raised("order-1", "new"), null);
        LockedTurn current = takeTurn(provider);

        assertPermanent(
                () -> provider.ackOrchestrationItem(
                        TurnAck.of(old.lockToken(), 1).withHistory(List.of(signal("order-1", 2)))),
                "Invalid lock token");
        provider.ackOrchestrationItem(TurnAck.of(current.lockToken(), 1).withHistory(List.of(signal("order-1", 2))));

        assertThat(provider.read("order-1")).hasSize(2);
    }

    @Test
    void hundreds_of_documents_take_several_batches() {
        beginInstance(provider, "order-1");
        IntStream.range(0, 150).forEach(i -> provider.enqueueForOrchestrator(raised("order-1", "m" + i), null));
        provider.appendWithExecution(
                "order-1",
                1,
                IntStream.range(10, 130).mapToObj(i -> signal("order-1", i)).toList());

        assertThat(admin.deleteInstance("order-1", true)).isEqualTo(new DeleteInstanceResult(1, 1, 121, 150));
        assertThat(store.documents()).isEmpty();
    }

    @Test
    void a_child_that_is_still_on_its_way_is_never_started() {
        CosmosProvider leaving =
                fixture.provider(CosmosProvider.builder().reconciler(false).immediateDelivery(false));
        parentOf(leaving, "root", "child");

        assertThat(admin.deleteInstance("root", true).instancesDeleted()).isEqualTo(1);

        assertThat(store.documentsOf("root")).isEmpty();
        assertThat(store.receiptsOf("child"))
                .singleElement()
                .satisfies(
                        receipt -> assertThat(receipt.path("outcome").asText()).isEqualTo("refused"));
        assertThat(fetchTurn(provider)).isNull();
    }

    @Test
    void a_start_that_is_delivered_once_more_does_not_bring_back_what_was_deleted() {
        CosmosProvider leaving =
                fixture.provider(CosmosProvider.builder().reconciler(false).immediateDelivery(false));
        parentOf(leaving, "parent", "child");
        IntentOutbox relay = new IntentOutbox(fixture.store().container(), InstantSource.system());
        Intent intent = relay.undelivered("parent").get(0);
        relay.deliver(intent);
        provider.ackOrchestrationItem(firstAck(takeTurn(provider)));
        admin.deleteInstance("child", true);

        assertThat(relay.deliver(intent)).isEqualTo(new DeliveryOutcome.Delivered(false));

        assertThat(store.documentsOf("child")).isEmpty();
    }

    @Test
    void a_child_that_waits_for_its_first_turn_belongs_to_the_tree() {
        parentOf(provider, "root", "child");
        LockedTurn child = takeTurn(provider);
        finish("root");
        provider.abandonOrchestrationItem(child.lockToken(), null, true);

        assertPermanent(() -> admin.deleteInstance("root", false), "running");
        assertPermanent(() -> admin.deleteInstancesAtomic(List.of("root"), true), "child");
        assertThat(admin.deleteInstance("root", true).queueMessagesDeleted()).isEqualTo(1);

        assertThat(store.documentsOf("root")).isEmpty();
        assertThat(store.documentsOf("child")).isEmpty();
        assertThat(fetchTurn(provider)).isNull();
    }

    @Test
    @Covers("wire 46")
    void a_look_for_children_that_fails_deletes_nothing() {
        beginInstance(provider, "parent");
        beginChild(provider, "child", "parent");
        FaultRule broken = fixture.emulator()
                .faults()
                .refuse(
                        request -> request.operation() == RequestKind.QUERY
                                && request.body().contains("parentInstanceId"),
                        0,
                        400,
                        0);

        assertThatThrownBy(() -> admin.deleteInstancesAtomic(List.of("parent"), true))
                .isInstanceOf(ProviderException.class);

        broken.remove();
        assertThat(broken.hits()).isPositive();
        assertThat(admin.listInstances()).containsExactlyInAnyOrder("parent", "child");
        assertPermanent(() -> admin.deleteInstancesAtomic(List.of("parent"), true), "child");
    }

    @Test
    void intents_to_instances_that_stay_are_still_delivered() {
        CosmosProvider leaving =
                fixture.provider(CosmosProvider.builder().reconciler(false).immediateDelivery(false));
        beginInstance(provider, "order-1");
        leaving.enqueueForOrchestrator(raised("order-1", "go"), null);
        LockedTurn turn = takeTurn(leaving);
        leaving.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                .withOrchestratorItems(List.of(raised("other", "news"), start("detached"))));

        admin.deleteInstance("order-1", true);

        assertThat(store.documentsOf("order-1"))
                .extracting(document -> document.path("targetInstanceId").asText())
                .containsExactlyInAnyOrder("other", "detached");
    }

    /** An instance whose first turn starts children. */
    private static void parentOf(CosmosProvider acking, String parent, String... children) {
        acking.enqueueForOrchestrator(start(parent), null);
        LockedTurn turn = takeTurn(acking);
        List<HistoryEvent> events = new ArrayList<>(List.of(started(parent)));
        List<WorkItem> starts = new ArrayList<>();
        for (String child : children) {
            long id = events.size() + 1L;
            events.add(event(parent, id, new EventKind.SubOrchestrationScheduled("Child", child, "{}")));
            starts.add(new WorkItem.StartOrchestration(child, "Child", "{}", null, parent, id, null, 1));
        }
        acking.ackOrchestrationItem(firstAck(turn).withHistory(events).withOrchestratorItems(starts));
    }

    private void tree() {
        beginInstance(provider, "root");
        beginChild(provider, "left", "root");
        beginChild(provider, "right", "root");
        beginChild(provider, "leaf", "left");
    }

    private void finish(String instance) {
        provider.enqueueForOrchestrator(raised(instance, "end"), null);
        LockedTurn turn = takeTurn(provider);
        assertThat(turn.item().instance()).isEqualTo(instance);
        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                .withHistory(List.of(event(instance, 9, new EventKind.OrchestrationCompleted("done"))))
                .withMetadata(ExecutionMetadata.NONE.withStatus("Completed", "done")));
    }

    private static HistoryEvent signal(String instance, long id) {
        return event(instance, id, new EventKind.ExternalEvent("signal", "x"));
    }

    private static void assertPermanent(ThrowingCallable call, String text) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining(text);
    }
}
