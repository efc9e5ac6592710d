package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.beginInstance;
import static io.sluice.provider.cosmos.StoreFixture.completed;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.InstanceExt;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.OrchestrationFilter;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.SemverRange;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** Requests to data partitions, on one physical partition, as the design's table counts them. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RequestCountsIT {
    private static final DispatcherCapabilityFilter ORDERS_ONLY = new DispatcherCapabilityFilter(
                    List.of(new SemverRange(SemanticVersion.of(0, 0, 0), SemanticVersion.of(9, 0, 0))))
            .withOrchestrations(OrchestrationFilter.named(Map.of("Order", Set.of())));

    private CosmosEmulator emulator;
    private CosmosProvider provider;
    private CosmosStoreConfig config;

    @BeforeEach
    void open() {
        emulator = CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(1));
        config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "counts", "counts");
        CosmosStore.provision(config);
        provider = CosmosProvider.builder().reconciler(false).config(config).build();
        provider.fetchOrchestrationItem(LOCK, NO_WAIT, null);
        provider.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.defaultOnly());
        emulator.requests().clear();
    }

    @AfterEach
    void close() {
        provider.close();
        emulator.close();
    }

    @Covers("wire 9")
    @Test
    void a_turn_of_a_new_instance_takes_two_requests_to_fetch_and_one_to_ack() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        assertRequests("enqueue", RequestKind.BATCH);

        LockedTurn turn = takeTurn(provider);
        assertRequests("fetch", RequestKind.QUERY, RequestKind.BATCH);

        provider.ackOrchestrationItem(firstAck(turn));
        assertRequests("ack", RequestKind.BATCH);
    }

    @Test
    void a_unique_start_takes_one_request_and_its_first_turn_two() {
        InstanceExt ext = new InstanceExt("{\"status\":\"PENDING\"}");
        provider.starts()
                .startInstance(InstanceStart.of((WorkItem.StartOrchestration) start("order-1"))
                        .withExt(ext));
        assertRequests("start", RequestKind.BATCH);

        LockedTurn turn = takeTurn(provider);
        assertThat(turn.ext()).isEqualTo(ext);
        assertRequests("fetch", RequestKind.QUERY, RequestKind.BATCH);

        provider.ackOrchestrationItem(firstAck(turn));
        assertRequests("ack", RequestKind.BATCH);
    }

    @Test
    void a_start_that_finds_its_instance_takes_two_requests() {
        known("order-1");

        provider.starts().startInstance(InstanceStart.of((WorkItem.StartOrchestration) start("order-1")));

        assertRequests("start", RequestKind.BATCH, RequestKind.ITEM_READ);
    }

    @Test
    void the_first_turn_of_what_another_process_started_takes_three_requests() {
        try (CosmosProvider other =
                CosmosProvider.builder().reconciler(false).config(config).build()) {
            other.starts().startInstance(InstanceStart.of((WorkItem.StartOrchestration) start("order-1")));
            emulator.requests().clear();

            takeTurn(provider);

            assertRequests("fetch", RequestKind.QUERY, RequestKind.QUERY, RequestKind.BATCH);
        }
    }

    @Test
    void a_filter_of_names_takes_no_request_more_where_the_instance_is_remembered() {
        provider.fetchOrchestrationItem(LOCK, NO_WAIT, ORDERS_ONLY);
        provider.starts().startInstance(InstanceStart.of((WorkItem.StartOrchestration) start("order-1")));
        emulator.requests().clear();

        LockedTurn first =
                provider.fetchOrchestrationItem(LOCK, NO_WAIT, ORDERS_ONLY).orElseThrow();
        assertRequests("first turn", RequestKind.QUERY, RequestKind.BATCH);

        provider.ackOrchestrationItem(firstAck(first));
        provider.enqueueForOrchestrator(raised("order-1", "x"), null);
        emulator.requests().clear();
        assertThat(provider.fetchOrchestrationItem(LOCK, NO_WAIT, ORDERS_ONLY)).isPresent();
        assertRequests("another turn", RequestKind.QUERY, RequestKind.BATCH);
    }

    @Test
    void a_start_that_nobody_remembers_is_read_before_its_name_is_judged() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        emulator.requests().clear();

        assertThat(provider.fetchOrchestrationItem(LOCK, NO_WAIT, ORDERS_ONLY)).isPresent();

        assertRequests("fetch", RequestKind.QUERY, RequestKind.QUERY, RequestKind.BATCH);
    }

    @Test
    void the_turn_of_a_named_instance_takes_two_requests_and_one_where_there_is_none() {
        known("order-1");

        LockedTurn turn = provider.instanceTurns().fetch("order-1", LOCK).orElseThrow();
        assertRequests("fetch", RequestKind.QUERY, RequestKind.BATCH);
        assertThat(turn.item().history()).hasSize(1);

        assertThat(provider.instanceTurns().fetch("nobody", LOCK)).isEmpty();
        assertRequests("nothing there", RequestKind.QUERY);

        provider.enqueueForOrchestrator(start("order-2"), null);
        emulator.requests().clear();
        assertThat(provider.instanceTurns().fetch("order-2", LOCK)).isPresent();
        assertRequests("first turn", RequestKind.QUERY, RequestKind.BATCH);
    }

    @Test
    void single_events_and_a_start_that_waits_take_one_request_each() {
        known("order-1");

        assertThat(provider.queries().events("order-1", 1, List.of(1L))).hasSize(1);
        assertRequests("an event", RequestKind.QUERY);

        provider.enqueueForOrchestrator(start("order-2"), null);
        emulator.requests().clear();
        assertThat(provider.queries().waitingStart("order-2")).isPresent();
        assertRequests("a start", RequestKind.QUERY);
    }

    @Test
    void what_is_kept_along_takes_no_request_and_no_operation() {
        List<List<String>> bodies = new ArrayList<>();
        for (InstanceExt ext : Arrays.asList(null, new InstanceExt("{\"tags\":{\"a\":\"b\"}}"))) {
            provider.enqueueForOrchestrator(start("order-1"), null);
            LockedTurn turn = takeTurn(provider);
            emulator.requests().clear();
            TurnAck ack = firstAck(turn);
            provider.ackOrchestrationItem(
                    ack.withMetadata(ack.metadata().withStatus("Completed", "").withExt(ext)));
            bodies.add(data().stream()
                    .map(each -> each.body().replaceAll("[0-9a-f-]{36}", "#"))
                    .toList());
            provider.asManagementCapability().orElseThrow().deleteInstance("order-1", false);
        }

        assertThat(bodies.get(1)).isEqualTo(bodies.get(0)).hasSize(1);
    }

    @Test
    void a_new_instance_among_many_is_looked_at_but_has_no_history_to_read() {
        IntStream.range(0, 40).forEach(i -> provider.enqueueForOrchestrator(start("order-" + i), null));
        emulator.requests().clear();

        LockedTurn turn = takeTurn(provider);

        assertRequests("fetch", RequestKind.QUERY, RequestKind.QUERY, RequestKind.BATCH);
        assertThat(turn.item().history()).isEmpty();
    }

    @Test
    void a_turn_of_an_instance_this_process_knows_takes_two_requests_to_fetch() {
        known("order-1");

        LockedTurn turn = takeTurn(provider);

        assertRequests("fetch", RequestKind.QUERY, RequestKind.BATCH);
        assertThat(turn.item().history()).hasSize(1);
    }

    @Test
    void a_turn_of_an_instance_nobody_knows_takes_four_requests_in_three_steps() {
        known("order-1");
        try (CosmosProvider other =
                CosmosProvider.builder().reconciler(false).config(config).build()) {
            emulator.requests().clear();

            takeTurn(other);

            assertThat(kinds())
                    .containsExactlyInAnyOrder(
                            RequestKind.QUERY, RequestKind.QUERY, RequestKind.QUERY, RequestKind.BATCH);
        }
    }

    @Test
    void children_and_sessions_are_looked_up_however_many_others_there_are() {
        known("order-1");
        provider.ackOrchestrationItem(TurnAck.of(takeTurn(provider).lockToken(), 1));
        try (CosmosStore store = CosmosStore.open(config)) {
            Flux.range(0, 150)
                    .flatMap(i -> store.container().createItem(other(i), new PartitionKey("other-" + i), null))
                    .blockLast();
        }
        emulator.requests().clear();

        assertThat(provider.asManagementCapability().orElseThrow().listChildren("order-1"))
                .isEmpty();
        assertThat(provider.renewSessionLock(List.of("worker-1", "worker-2"), LOCK, LOCK))
                .isZero();

        assertThat(emulator.requests().matching(request -> request.operation().isData()))
                .hasSize(2)
                .extracting(LoggedRequest::itemsRead)
                .containsOnly(0L);
    }

    /** The head of an instance without a parent and with a session of another worker's, in one. */
    private static ObjectNode other(int number) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", "other")
                .put("instanceId", "other-" + number)
                .put("type", number % 2 == 0 ? "instance" : "session")
                .put("ownerId", "worker-of-" + number)
                .put("lockedUntil", Long.MAX_VALUE);
    }

    @Test
    void cancelling_activities_costs_one_request_more() {
        known("order-1");
        LockedTurn turn = takeTurn(provider);
        emulator.requests().clear();

        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                .withCancelledActivities(List.of(new ScheduledActivityIdentifier("order-1", 1, 5))));

        assertRequests("ack", RequestKind.QUERY, RequestKind.BATCH);
    }

    @Test
    void an_activity_takes_two_requests_to_fetch_and_one_for_anything_else() {
        provider.enqueueForWorker(activity("order-1", 2));
        emulator.requests().clear();

        LockedWorkItem work = takeActivity(provider);
        assertRequests("fetch", RequestKind.QUERY, RequestKind.BATCH);

        provider.renewWorkItemLock(work.lockToken(), LOCK);
        assertRequests("renew", RequestKind.BATCH);

        provider.abandonWorkItem(work.lockToken(), null, false);
        assertRequests("abandon", RequestKind.BATCH);

        LockedWorkItem again = takeActivity(provider);
        emulator.requests().clear();
        provider.ackWorkItem(again.lockToken(), completed("order-1", 2));
        assertRequests("ack", RequestKind.BATCH);
    }

    @Test
    void a_filter_of_many_tags_takes_no_request_more() {
        provider.enqueueForWorker(new WorkItem.ActivityExecute("order-1", 1, 2, "charge", "{}", null, "name-77"));
        TagFilter many = TagFilter.manyTags(
                IntStream.range(0, 1_000).mapToObj(i -> "name-" + i).collect(Collectors.toSet()));
        emulator.requests().clear();

        assertThat(provider.fetchWorkItem(LOCK, NO_WAIT, null, many)).isPresent();

        assertThat(data()).extracting(LoggedRequest::bytesIn).allMatch(bytes -> bytes < 64 * 1024);
        assertRequests("fetch", RequestKind.QUERY, RequestKind.BATCH);
    }

    @Test
    void a_session_costs_one_request_more() {
        provider.enqueueForWorker(new WorkItem.ActivityExecute("order-1", 1, 2, "charge", "{}", "s", null));
        emulator.requests().clear();

        LockedWorkItem work = provider.fetchWorkItem(
                        LOCK, NO_WAIT, new SessionFetchConfig("me", LOCK), TagFilter.defaultOnly())
                .orElseThrow();
        assertRequests("fetch", RequestKind.QUERY, RequestKind.ITEM_READ, RequestKind.BATCH);

        provider.renewWorkItemLock(work.lockToken(), LOCK);
        assertRequests("renew", RequestKind.BATCH, RequestKind.BATCH);

        provider.ackWorkItem(work.lockToken(), completed("order-1", 2));
        assertRequests("ack", RequestKind.BATCH, RequestKind.BATCH);
    }

    @Test
    void hello_world_takes_no_more_than_ten_requests() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        provider.ackOrchestrationItem(firstAck(takeTurn(provider)).withWorkerItems(List.of(activity("order-1", 2))));
        provider.ackWorkItem(takeActivity(provider).lockToken(), completed("order-1", 2));
        provider.ackOrchestrationItem(TurnAck.of(takeTurn(provider).lockToken(), 1));

        assertThat(data()).hasSizeLessThanOrEqualTo(10);
    }

    @Test
    void a_fan_out_of_twenty_takes_no_more_than_sixty_seven_requests() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        provider.ackOrchestrationItem(firstAck(takeTurn(provider))
                .withWorkerItems(IntStream.range(0, 20)
                        .mapToObj(id -> activity("order-1", id))
                        .toList()));
        for (int i = 0; i < 20; i++) {
            LockedWorkItem work = takeActivity(provider);
            provider.ackWorkItem(work.lockToken(), completed("order-1", i));
        }
        LockedTurn last = takeTurn(provider);
        provider.ackOrchestrationItem(TurnAck.of(last.lockToken(), 1));

        assertThat(last.item().messages()).hasSize(20);
        assertThat(data()).hasSizeLessThanOrEqualTo(67);
    }

    @Test
    void parent_child_and_back_takes_no_more_than_fourteen_requests() {
        provider.enqueueForOrchestrator(start("parent"), null);
        provider.ackOrchestrationItem(
                firstAck(takeTurn(provider)).withOrchestratorItems(List.of(start("parent::sub::2"))));
        provider.ackOrchestrationItem(firstAck(takeTurn(provider))
                .withOrchestratorItems(List.of(new WorkItem.SubOrchCompleted("parent", 1, 2, "done"))));
        LockedTurn last = takeTurn(provider);
        provider.ackOrchestrationItem(TurnAck.of(last.lockToken(), 1));

        assertThat(last.item().messages()).containsExactly(new WorkItem.SubOrchCompleted("parent", 1, 2, "done"));
        assertThat(data()).hasSizeLessThanOrEqualTo(14);
    }

    @Test
    void a_backlog_makes_a_fetch_no_dearer() {
        for (int i = 0; i < 60; i++) {
            provider.enqueueForOrchestrator(start("order-" + i), null);
        }
        emulator.requests().clear();

        takeTurn(provider);

        assertThat(data().stream().mapToInt(LoggedRequest::itemCount).sum()).isLessThanOrEqualTo(20);
    }

    @Test
    void five_hundred_others_in_the_queue_cost_a_fetch_no_more_than_twenty_documents() {
        IntStream.range(0, 250).forEach(i -> provider.enqueueForOrchestrator(start("order-" + i), null));
        IntStream.range(0, 250).forEach(i -> provider.enqueueForWorker(activity("order-" + i, 1)));
        emulator.requests().clear();

        takeTurn(provider);
        takeActivity(provider);

        assertThat(data()).extracting(LoggedRequest::itemCount).allMatch(documents -> documents <= 20);
    }

    @Test
    void two_and_two_idle_dispatchers_ask_a_hundred_and_thirty_times_a_minute_at_most() {
        Duration seen = Duration.ofSeconds(4);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> idle = IntStream.range(0, 4)
                .<Future<?>>mapToObj(i -> threads.submit(() -> i % 2 == 0
                        ? provider.fetchOrchestrationItem(LOCK, seen, null)
                        : provider.fetchWorkItem(
                                LOCK, seen, new SessionFetchConfig("owner-" + i, LOCK), TagFilter.defaultOnly())))
                .toList();
        idle.forEach(RequestCountsIT::join);
        threads.shutdown();

        assertThat(data())
                .as("two a second, and ten while the rests grow to a second: 130 in the first minute, 120 in any other")
                .hasSizeLessThanOrEqualTo(2 * 4 + 10);
    }

    private static void join(Future<?> task) {
        try {
            assertThat(task.get(30, TimeUnit.SECONDS)).isEqualTo(Optional.empty());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void an_idle_dispatcher_rests_longer_and_longer() {
        provider.fetchOrchestrationItem(LOCK, Duration.ofSeconds(3), null);

        assertThat(data()).as("32, 64 … 1000 ms").hasSizeLessThanOrEqualTo(9);
    }

    private void known(String instance) {
        beginInstance(provider, instance);
        provider.enqueueForOrchestrator(raised(instance, "x"), null);
        emulator.requests().clear();
    }

    private void assertRequests(String what, RequestKind... expected) {
        assertThat(kinds()).as(what).containsExactly(expected);
        emulator.requests().clear();
    }

    private List<RequestKind> kinds() {
        return data().stream().map(LoggedRequest::operation).toList();
    }

    private List<LoggedRequest> data() {
        return emulator.requests()
                .matching(request -> request.operation().isData())
                .toList();
    }
}
