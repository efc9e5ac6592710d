package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.started;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.InstanceExt;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.InstanceStarts.AlreadyExists;
import io.sluice.provider.InstanceStarts.Started;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TraceContext;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.outbox.StartLimit;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A start takes effect once and its caller is told the truth, whatever became of the tries. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StartsIT {
    private static final InstanceExt PENDING = new InstanceExt("{\"status\":\"PENDING\"}");
    private static final int ALL = 0;

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosEmulator emulator;
    private CosmosStore store;
    private CosmosProvider client;
    private CosmosProvider runtime;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        store = fixture.store();
        client = fixture.provider();
        runtime = fixture.provider();
    }

    @Test
    void a_start_whose_answer_was_lost_is_known_to_have_started() {
        emulator.faults().answerInstead(StartsIT::isStart, 1, 503, 0);

        assertThat(client.starts().startInstance(wish())).isInstanceOf(Started.class);

        assertThat(takeTurn(runtime).item().messages()).hasSize(1);
        assertThat(fixture.documents(store, "order-1", "orch_queue")).hasSize(1);
    }

    @Test
    void a_start_is_recognised_as_its_own_although_the_instance_ended_before_the_repetition() {
        assertThat(afterLostAnswer(this::finish)).isInstanceOf(Started.class);

        assertThat(client.queries().get("order-1").orElseThrow().status()).isEqualTo("Completed");
        assertThat(fixture.documents(store, "order-1", "orch_queue")).isEmpty();
    }

    @Test
    void a_start_is_recognised_as_its_own_although_the_instance_was_deleted_before_the_repetition() {
        assertThat(afterLostAnswer(() -> {
                    finish();
                    delete();
                }))
                .isInstanceOf(Started.class);

        assertThat(client.queries().get("order-1")).as("not brought back").isEmpty();
        assertThat(fetchTurn(runtime)).isNull();
    }

    @Test
    void a_try_that_arrives_after_the_instance_was_deleted_brings_nothing_back() {
        try (HeldRequest late = HeldRequest.of(emulator, StartsIT::isStart)) {
            assertThat(client.starts().startInstance(wish())).isInstanceOf(Started.class);
            finish();
            delete();

            late.letGo();
        }
        assertThat(client.queries().get("order-1")).isEmpty();
        assertThat(fixture.documents(store, "order-1", "orch_queue")).isEmpty();
    }

    @Test
    void anothers_start_that_came_first_is_not_taken_for_its_own() {
        emulator.faults().dropConnection(StartsIT::isStart, 1);
        try (NthRequest again = NthRequest.doing(
                emulator, StartsIT::isStart, 2, () -> runtime.starts().startInstance(wish()))) {

            assertThat(client.starts().startInstance(wish().withExt(PENDING)))
                    .isInstanceOfSatisfying(
                            AlreadyExists.class,
                            found -> assertThat(found.instance().ext()).isNull());

            assertThat(again.happened()).as("it was repeated").isTrue();
        }
        assertThat(takeTurn(runtime).item().messages()).hasSize(1);
    }

    @Test
    void a_start_without_any_answer_may_be_repeated_by_its_caller() {
        CosmosProvider hasty =
                fixture.provider(CosmosProvider.builder().reconciler(false).enqueueTimeout(Duration.ofMillis(300)));
        InstanceStart wish = wish();
        emulator.faults().answerInstead(StartsIT::isStart, ALL, 503, 0);

        assertThatThrownBy(() -> hasty.starts().startInstance(wish))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isTrue());
        emulator.faults().clear();

        assertThat(client.starts().startInstance(wish)).as("by another process").isInstanceOf(Started.class);
        assertThat(takeTurn(runtime).item().messages()).hasSize(1);
    }

    @Test
    void a_store_that_is_busy_is_asked_again() {
        emulator.faults().refuse(StartsIT::isStart, 3, 429, 3200);

        assertThat(client.starts().startInstance(wish())).isInstanceOf(Started.class);
    }

    @Test
    void what_the_store_could_not_hold_is_refused_before_anything_is_written() {
        WorkItem.StartOrchestration large = withInput("x".repeat(StartLimit.MAX_BYTES - 16_500));
        emulator.requests().clear();

        assertThatThrownBy(() -> client.starts()
                        .startInstance(InstanceStart.of(large)
                                .withExt(new InstanceExt("{\"a\":\"" + "y".repeat(16_000) + "\"}"))))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining("order-1")
                .hasMessageContaining("the limit is " + StartLimit.MAX_BYTES)
                .hasMessageContaining("input alone takes 1775");
        assertThatThrownBy(() -> client.starts().startInstance(InstanceStart.of(item("a/b"))))
                .isInstanceOf(ProviderException.class)
                .hasMessageContaining("a/b");
        assertThat(fixture.dataRequests()).isEmpty();
    }

    @Test
    void the_largest_start_that_is_taken_can_be_acked_and_a_larger_one_is_not_taken() {
        String input = "x".repeat(StartLimit.MAX_BYTES - 2_000);
        InstanceStart largest = InstanceStart.of(withInput(input));

        assertThat(client.starts().startInstance(largest)).isInstanceOf(Started.class);

        LockedTurn turn = takeTurn(runtime);
        var event = new EventKind.OrchestrationStarted("Order", "1.0.0", input, null, null, null, null, null);
        runtime.ackOrchestrationItem(firstAck(turn).withHistory(List.of(StoreFixture.event("order-1", 1, event))));
        assertThat(runtime.read("order-1")).hasSize(1);
        assertThatThrownBy(() -> client.starts().startInstance(InstanceStart.of(withInput(input + "x".repeat(2_000)))))
                .hasMessageContaining("the limit is " + StartLimit.MAX_BYTES);
    }

    @Test
    void what_begins_an_execution_is_refused_by_its_queue_where_its_first_turn_could_not_be_stored() {
        String input = "x".repeat(StartLimit.MAX_BYTES);

        for (WorkItem start : List.of(
                withInput(input),
                new WorkItem.ContinueAsNew("order-1", "Order", input, "1.0.0", null, null, null, List.of(), null))) {
            assertThatThrownBy(() -> client.enqueueForOrchestrator(start, null))
                    .isInstanceOfSatisfying(
                            ProviderException.class,
                            e -> assertThat(e.retryable()).isFalse())
                    .hasMessageContaining("the limit is " + StartLimit.MAX_BYTES);
        }

        client.enqueueForOrchestrator(raised("order-1", input), null);
        assertThat(fixture.documents(store, "order-1", "orch_queue"))
                .as("the event")
                .hasSize(1);
    }

    private static WorkItem.StartOrchestration withInput(String input) {
        return new WorkItem.StartOrchestration("order-1", "Order", input, "1.0.0", null, null, null, 1);
    }

    @Test
    void the_document_is_what_a_first_fetch_leaves_behind_for_every_reader() {
        client.starts().startInstance(wish());
        // A start that is too large to be returned by the lock is read before it, and then the lock names the instance;
        // one that is locked unread is named by its first ack.
        String large = "x".repeat(300_000);
        runtime.enqueueForOrchestrator(
                new WorkItem.StartOrchestration("fetched", "Order", large, "1.0.0", null, null, null, 1), null);
        runtime.fetchOrchestrationItem(LOCK, Duration.ofSeconds(5), null);
        runtime.fetchOrchestrationItem(LOCK, Duration.ofSeconds(5), null);

        // Whichever was fetched first, both are locked now.
        assertThat(head("order-1")).isEqualTo(head("fetched"));
    }

    private List<String> head(String instance) {
        ObjectNode head = fixture.documents(store, instance, "instance").get(0);
        return Stream.of(
                        "type",
                        "orchestrationName",
                        "orchestrationVersion",
                        "currentExecutionId",
                        "status",
                        "output",
                        "parentInstanceId",
                        "pinnedDuroxideVersionPacked",
                        "customStatus",
                        "customStatusVersion")
                .map(field -> field + "=" + head.get(field))
                .toList();
    }

    @Test
    void the_trace_of_a_start_comes_with_what_its_first_turn_sends() {
        TraceContext trace = new TraceContext("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", null);

        client.starts().startInstance(wish().withTrace(trace));

        assertThat(fixture.documents(store, "order-1", "orch_queue"))
                .singleElement()
                .satisfies(message ->
                        assertThat(message.path("traceparent").asText()).isEqualTo(trace.traceparent()));
    }

    @Test
    void a_started_instance_without_a_turn_is_deleted_with_its_message() {
        client.starts().startInstance(wish());

        client.asManagementCapability().orElseThrow().deleteInstancesAtomic(List.of("order-1"), true);

        assertThat(client.queries().get("order-1")).isEmpty();
        assertThat(fetchTurn(runtime)).isNull();
        assertThat(client.starts().startInstance(wish())).isInstanceOf(Started.class);
        assertThat(takeTurn(runtime).item().messages()).hasSize(1);
    }

    @Test
    void a_dispatcher_of_this_process_that_waits_is_handed_the_start_and_reads_nothing() throws Exception {
        ExecutorService dispatcher = Executors.newSingleThreadExecutor();
        try {
            Future<Optional<LockedTurn>> waiting =
                    dispatcher.submit(() -> client.fetchOrchestrationItem(LOCK, Duration.ofSeconds(30), null));
            Awaitility.await().until(() -> !fixture.dataRequests().isEmpty());

            client.starts().startInstance(wish());

            assertThat(waiting.get(60, TimeUnit.SECONDS).orElseThrow().item().messages())
                    .containsExactly(start("order-1"));
            assertThat(fixture.dataRequests())
                    .filteredOn(request -> "[\"order-1\"]".equals(request.partitionKey()))
                    .as("the start, and the lock")
                    .extracting(LoggedRequest::operation)
                    .containsExactly(RequestKind.BATCH, RequestKind.BATCH);
        } finally {
            dispatcher.shutdownNow();
        }
    }

    /** Starts, while the first try goes through without an answer and this happens before the second. */
    private Object afterLostAnswer(Runnable between) {
        emulator.faults().answerInstead(StartsIT::isStart, 1, 503, 0);
        List<Object> outcome = new ArrayList<>();
        try (NthRequest again = NthRequest.doing(emulator, StartsIT::isStart, 2, between)) {
            outcome.add(client.starts().startInstance(wish()));
            assertThat(again.happened()).as("it was repeated").isTrue();
        }
        return outcome.get(0);
    }

    private void finish() {
        LockedTurn turn = takeTurn(runtime);
        runtime.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                .withHistory(List.of(started("order-1")))
                .withMetadata(ExecutionMetadata.NONE.withStatus("Completed", "done")));
    }

    private void delete() {
        runtime.asManagementCapability().orElseThrow().deleteInstance("order-1", false);
    }

    private static WorkItem.StartOrchestration item(String instance) {
        return (WorkItem.StartOrchestration) start(instance);
    }

    private static InstanceStart wish() {
        return InstanceStart.of(item("order-1"));
    }

    private static boolean isStart(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH && request.body().startsWith("create:receipt:req:start:");
    }
}
