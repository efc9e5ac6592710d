package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What acks leave undelivered is delivered by providers alone, each once, in order, and what others wrote is left to
 * them.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class IntentReconcilerIT {
    private static final int ALL = 0;

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private final SteppedClock clock = new SteppedClock(InstantSource.system());
    private final List<Intent> told = new ArrayList<>();
    private CosmosEmulator emulator;
    private CosmosStore store;
    private CosmosProvider provider;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        store = fixture.store();
        provider = CosmosProvider.builder()
                .reconciler(false)
                .store(store)
                .clock(clock)
                .build();
    }

    @AfterEach
    void close() {
        emulator.faults().clear();
    }

    @Test
    void a_child_whose_start_the_ack_could_not_deliver_is_started_by_the_provider_itself() {
        leaveUndelivered("parent", child("parent", "child"));
        clock.step(Duration.ofSeconds(10));

        CosmosProvider other =
                fixture.provider(CosmosProvider.builder().clock(clock).reconcileInterval(Duration.ofMillis(40)));

        assertThat(other.fetchOrchestrationItem(StoreFixture.LOCK, Duration.ofSeconds(30), null))
                .as("nobody but the other provider's reconciler could deliver it")
                .hasValueSatisfying(
                        turn -> assertThat(turn.item().messages()).containsExactly(child("parent", "child")));
        assertThat(outbox().undelivered("parent")).isEmpty();
    }

    @Test
    void what_is_fresh_is_left_to_the_ack() {
        leaveUndelivered("parent", start("child"));

        assertThat(reconciler(false).reconcile(() -> true)).isZero();
        clock.step(Duration.ofSeconds(10));
        assertThat(reconciler(false).reconcile(() -> true)).isEqualTo(1);
        assertThat(told).extracting(Intent::targetInstance).containsExactly("child");
    }

    @Test
    void several_at_once_deliver_each_intent_once_and_in_order() throws Exception {
        for (int i = 0; i < 8; i++) {
            leaveUndelivered("parent-" + i, raised("target", i + "a"), raised("target", i + "b"), start("own-" + i));
        }
        clock.step(Duration.ofSeconds(10));
        ExecutorService threads = Executors.newFixedThreadPool(3);
        List<Future<Integer>> counts = IntStream.range(0, 3)
                .mapToObj(i -> threads.submit(() -> reconciler(false).reconcile(() -> true)))
                .toList();
        for (Future<Integer> count : counts) {
            count.get();
        }
        threads.shutdown();

        assertThat(fixture.documents(store, "target", "orch_queue")).hasSize(16);
        assertThat(fixture.documents(store, "target", "receipt")).hasSize(16);
        for (int i = 0; i < 8; i++) {
            assertThat(fixture.documents(store, "own-" + i, "orch_queue")).hasSize(1);
            assertThat(outbox().undelivered("parent-" + i)).isEmpty();
        }
        reconciler(false).reconcile(() -> true);
        assertThat(fixture.documents(store, "target", "orch_queue")).hasSize(16);
    }

    @Test
    void a_pair_ends_at_its_first_failure_and_others_go_on() {
        leaveUndelivered("parent", start("target"), raised("target", "b"), start("other"));
        clock.step(Duration.ofSeconds(10));
        var refused = emulator.faults().refuse(request -> delivers(request, "target"), ALL, 503, 0);

        assertThat(reconciler(false).reconcile(() -> true)).isEqualTo(1);
        refused.remove();

        assertThat(fixture.documents(store, "target", "orch_queue")).isEmpty();
        assertThat(reconciler(false).reconcile(() -> true)).isEqualTo(2);
        assertThat(takeTurn(provider, "target")).containsExactly(start("target"), raised("target", "b"));
        assertThat(takeTurn(provider, "other")).containsExactly(start("other"));
    }

    @Test
    void what_writers_of_other_kinds_left_is_theirs() {
        leaveUndelivered("parent", start("child"));
        ObjectNode theirs =
                fixture.documents(store, "parent", "outbox_intent").get(0).deepCopy();
        theirs.put("idempotencyKey", "parent:1:0")
                .put("id", "intent:parent:1:0")
                .put("targetInstanceId", "other");
        store.container().createItem(theirs, new PartitionKey("parent"), null).block();
        clock.step(Duration.ofSeconds(10));

        assertThat(reconciler(true).reconcile(() -> true))
                .as("pending beside Rust, whose reconciler delivers it")
                .isZero();
        assertThat(reconciler(false).reconcile(() -> true)).isEqualTo(1);

        assertThat(outbox().undelivered("parent")).extracting(Intent::key).containsExactly("parent:1:0");
    }

    @Test
    void what_the_store_refuses_for_good_is_given_up_and_its_parent_told() {
        leaveUndelivered("parent", child("parent", "child"));
        emulator.faults()
                .refuse(request -> delivers(request, "child") && request.body().contains("outbox:"), ALL, 400, 0);

        for (int i = 0; i < IntentReconciler.MOST_ATTEMPTS; i++) {
            clock.step(Duration.ofMinutes(2));
            reconciler(false).reconcile(() -> true);
        }

        assertThat(outbox().undelivered("parent")).isEmpty();
        assertThat(takeTurn(provider, "parent")).singleElement().isInstanceOf(WorkItem.SubOrchFailed.class);
    }

    @Test
    void a_look_that_finds_nothing_is_one_request_to_each_physical_partition() {
        IntentReconciler reconciler = reconciler(false);
        reconciler.reconcile(() -> true);
        emulator.requests().clear();

        reconciler.reconcile(() -> true);

        assertThat(emulator.requests().all().stream().map(LoggedRequest::operation))
                .as("one query for each physical partition, and no plan")
                .containsOnly(RequestKind.QUERY)
                .hasSizeLessThanOrEqualTo(4);
    }

    @Test
    void it_is_off_where_a_relay_does_it() {
        assertThat(CosmosProvider.builder().isReconciling()).isTrue();
        assertThat(CosmosProvider.builder()
                        .relayExpected(Duration.ofSeconds(30))
                        .isReconciling())
                .isFalse();
        assertThat(CosmosProvider.builder().immediateDelivery(false).isReconciling())
                .isFalse();
        assertThat(CosmosProvider.builder()
                        .relayExpected(Duration.ofSeconds(30))
                        .reconciler(true)
                        .isReconciling())
                .isTrue();
    }

    private IntentReconciler reconciler(boolean besideRustWriters) {
        ContainerRequests requests = new ContainerRequests(store.container());
        return new IntentReconciler(requests, new IntentOutbox(requests, clock), besideRustWriters, told::add, clock);
    }

    private IntentOutbox outbox() {
        return new IntentOutbox(store.container(), clock);
    }

    /** Acks a turn whose own deliveries all fail. */
    private void leaveUndelivered(String source, WorkItem... items) {
        provider.enqueueForOrchestrator(start(source), null);
        var turn = StoreFixture.takeTurn(provider);
        var refused = emulator.faults()
                .refuse(
                        request -> request.operation() == RequestKind.BATCH
                                && request.body().contains("receipt:" + source + ":"),
                        ALL,
                        503,
                        0);
        provider.ackOrchestrationItem(firstAck(turn).withOrchestratorItems(List.of(items)));
        refused.remove();
        assertThat(outbox().undelivered(source)).hasSize(items.length);
    }

    private static List<WorkItem> takeTurn(CosmosProvider from, String instance) {
        var turn = StoreFixture.takeTurn(from).item();
        assertThat(turn.instance()).isEqualTo(instance);
        return turn.messages();
    }

    private static boolean delivers(LoggedRequest request, String target) {
        return request.operation() == RequestKind.BATCH && ("[\"" + target + "\"]").equals(request.partitionKey());
    }

    private static WorkItem child(String parent, String instance) {
        return new WorkItem.StartOrchestration(instance, "Child", "{}", "1.0.0", parent, 7L, 1L, 1);
    }
}
