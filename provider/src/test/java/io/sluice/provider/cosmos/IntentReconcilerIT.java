package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.ProviderException;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.RequestObserver;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/**
 * What acks leave undelivered is delivered by providers alone, each once, in order, and what others wrote is left to
 * them.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class IntentReconcilerIT {
    private static final int ALL = 0;
    private static final int MANY = 20;
    private static final int MANY_EACH = 10;
    /** Requests for these: of each source one to read it and one to remove what was delivered, and to find them. */
    private static final int OF_ONE = MANY * (MANY_EACH + 2) + 8;

    private static final long LATER = Long.MAX_VALUE / 2;

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private final SteppedClock clock = new SteppedClock(InstantSource.system());
    private final List<Intent> told = new ArrayList<>();
    /** Each may be sent several times. */
    private final Set<Call> calls = ConcurrentHashMap.newKeySet();

    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(UndeliveredSources.class);
    private CosmosEmulator emulator;
    private CosmosStore store;
    private CosmosProvider provider;

    @BeforeEach
    void open() {
        logged.start();
        logger.addAppender(logged);
        logger.setLevel(Level.INFO);
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
        logger.detachAppender(logged);
        logger.setLevel(null);
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
    void one_process_reads_each_source_delivers_its_intents_and_removes_them() {
        leaveMany();

        assertThat(reconciler(false).reconcile(() -> true)).isEqualTo(MANY * MANY_EACH);

        assertThat(emulator.requests().all()).hasSizeLessThanOrEqualTo(OF_ONE);
    }

    @Test
    void eight_processes_at_once_cost_little_more_than_one() throws Exception {
        leaveMany();
        ExecutorService threads = Executors.newFixedThreadPool(8);

        Callable<Integer> round = () -> reconciler(false).reconcile(() -> true);
        for (Future<Integer> count : threads.invokeAll(Collections.nCopies(8, round))) {
            count.get();
        }

        threads.shutdown();
        assertThat(emulator.requests().all()).hasSizeLessThanOrEqualTo(OF_ONE * 3 / 2);
        for (int i = 0; i < MANY; i++) {
            assertThat(outbox().undelivered("source-" + i)).isEmpty();
        }
    }

    @Test
    void what_a_process_delivered_and_did_not_remove_is_removed_by_another() {
        leaveUndelivered("parent", start("child"), start("other"));
        var unused = outbox().deliver(outbox().undelivered("parent").get(0));
        clock.step(Duration.ofSeconds(10));

        reconciler(false).reconcile(() -> true);

        assertThat(outbox().undelivered("parent")).isEmpty();
        assertThat(fixture.documents(store, "child", "orch_queue")).hasSize(1);
        assertThat(fixture.documents(store, "other", "orch_queue")).hasSize(1);
    }

    private void leaveMany() {
        for (int i = 0; i < MANY; i++) {
            String source = "source-" + i;
            leaveUndelivered(
                    source,
                    IntStream.range(0, MANY_EACH)
                            .mapToObj(child -> start(source + "-child-" + child))
                            .toArray(WorkItem[]::new));
        }
        clock.step(Duration.ofSeconds(10));
        emulator.requests().clear();
    }

    @Test
    void a_pair_ends_at_its_first_failure_and_others_go_on() {
        leaveUndelivered("parent", start("target"), raised("target", "b"), start("other"));
        clock.step(Duration.ofSeconds(10));
        // The first alone is refused: the second would go through.
        emulator.faults().refuse(request -> delivers(request, "target"), 1, 503, 0);

        assertThat(reconciler(false).reconcile(() -> true)).isEqualTo(1);

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
    void a_source_that_can_t_be_read_does_not_hold_up_those_behind_it() {
        for (int i = 0; i < 4; i++) {
            leaveUndelivered("parent-" + i, start("child-" + i));
        }
        clock.step(Duration.ofSeconds(10));
        // Not tried again, unlike what may pass.
        FaultRule refused = emulator.faults().refuse(request -> reads(request, "parent-1"), ALL, 400, 0);
        IntentReconciler reconciler = reconciler(false);

        assertThat(reconciler.reconcile(() -> true)).as("all but one").isEqualTo(3);
        refused.remove();
        assertThat(reconciler.reconcile(() -> true)).isEqualTo(1);
    }

    @Test
    void sources_whose_visits_fail_come_last_in_the_next_round_and_are_named_once() {
        Set<String> all = leaveTwelve();
        Set<String> failing = Set.of("parent-0", "parent-1", "parent-2", "parent-3", "parent-4");
        Set<String> visited = new TreeSet<>();
        UndeliveredSources sources = sources();

        for (int round = 0; round < 5; round++) {
            sources.forEach(LATER, () -> true, source -> {
                if (failing.contains(source)) {
                    throw ProviderException.retryable("visit", "not now", null);
                }
                visited.add(source);
                return true;
            });
        }

        assertThat(visited).as("the 7 others").hasSize(7).doesNotContainAnyElementsOf(failing);
        assertThat(named("can't be read or delivered now")).containsExactlyInAnyOrderElementsOf(failing);
        sources.forEach(LATER, () -> true, notingIn(visited));
        assertThat(visited).isEqualTo(all);
        assertThat(named("which could not be read or delivered, are delivered now"))
                .containsExactlyInAnyOrderElementsOf(failing);
    }

    @Test
    void a_store_that_can_t_be_reached_ends_the_round_after_a_few_failures() {
        Set<String> all = leaveTwelve();
        UndeliveredSources sources = sources();
        sources.forEach(LATER, () -> false, source -> true);
        calls.clear();
        FaultRule refused = emulator.faults().refuse(request -> request.operation() == RequestKind.QUERY, ALL, 403, 0);
        Set<String> visited = new TreeSet<>();

        sources.forEach(LATER, () -> true, notingIn(visited));

        assertThat(visited).isEmpty();
        assertThat(calls).hasSize(UndeliveredSources.FAILURES_IN_A_ROW);
        refused.remove();
        sources.forEach(LATER, () -> true, notingIn(visited));
        assertThat(visited).isEqualTo(all);
    }

    @Test
    void a_part_of_the_store_that_can_t_be_reached_does_not_hold_up_the_others() {
        Set<String> all = leaveTwelve();
        UndeliveredSources sources = sources();
        sources.forEach(LATER, () -> false, source -> true);
        calls.clear();
        FaultRule refused = emulator.faults()
                .refuse(request -> request.operation() == RequestKind.QUERY && calls.size() == 1, ALL, 403, 0);
        Set<String> visited = new TreeSet<>();

        sources.forEach(LATER, () -> true, notingIn(visited));

        assertThat(visited).as("those in three ranges of four").hasSizeBetween(1, 11);
        refused.remove();
        sources.forEach(LATER, () -> true, notingIn(visited));
        assertThat(visited).isEqualTo(all);
    }

    @Test
    void all_sources_of_a_range_are_found_however_many_there_are() {
        leaveUndelivered("parent", start("child"));
        ObjectNode intent = fixture.documents(store, "parent", "outbox_intent").get(0);
        Set<String> sources = new TreeSet<>(Set.of("parent"));
        for (int i = 0; i < 1_000; i++) {
            sources.add("copy-" + i);
            ObjectNode copy = intent.deepCopy().put("instanceId", "copy-" + i);
            store.container()
                    .createItem(copy, new PartitionKey("copy-" + i), null)
                    .block();
        }
        List<String> found = new ArrayList<>();

        sources().forEach(LATER, () -> true, notingIn(found));

        assertThat(found).hasSize(1_001);
        assertThat(new TreeSet<>(found)).isEqualTo(sources);
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

    private static boolean reads(LoggedRequest request, String source) {
        return request.operation() == RequestKind.QUERY && ("[\"" + source + "\"]").equals(request.partitionKey());
    }

    /** The instances that lines of this thread with this text are about: providers of other tests log here, too. */
    private List<String> named(String text) {
        String thread = Thread.currentThread().getName();
        return List.copyOf(logged.list).stream()
                .filter(line -> line.getThreadName().equals(thread))
                .filter(line -> line.getMessage().contains(text))
                .map(line -> String.valueOf(line.getKeyValuePairs().get(0).value))
                .toList();
    }

    /** A visit that finds nobody else. */
    private static Predicate<String> notingIn(Collection<String> visited) {
        return source -> {
            visited.add(source);
            return true;
        };
    }

    private Set<String> leaveTwelve() {
        Set<String> sources = new TreeSet<>();
        for (int i = 0; i < 12; i++) {
            leaveUndelivered("parent-" + i, start("child-" + i));
            sources.add("parent-" + i);
        }
        return sources;
    }

    private UndeliveredSources sources() {
        RequestObserver observer = new RequestObserver() {
            @Override
            public void sending(Call call, Way way) {
                calls.add(call);
            }

            @Override
            public void ended(Ended request) {
                // Only what is sent counts here.
            }
        };
        return new UndeliveredSources(
                new ContainerRequests(store.container(), observer), Duration.ofMillis(200), new Random(1));
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
