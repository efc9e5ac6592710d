package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.completed;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What a process makes for itself reaches its waiting dispatchers without a search through all partitions. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OwnWorkIT {
    private static final int ROUNDS = 20;
    private static final Duration LONG = Duration.ofMinutes(1);

    private final ExecutorService dispatchers = Executors.newFixedThreadPool(2);
    private CosmosEmulator emulator;
    private CosmosProvider provider;

    @BeforeEach
    void open() {
        emulator = CosmosEmulator.start(EmulatorConfig.inMemory());
        var config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "own", "own");
        CosmosStore.provision(config);
        provider = CosmosProvider.builder().reconciler(false).config(config).build();
    }

    @AfterEach
    void close() {
        dispatchers.shutdownNow();
        provider.close();
        emulator.close();
    }

    @Test
    void an_orchestration_of_one_process_is_seldom_searched_for() throws Exception {
        Future<Optional<LockedWorkItem>> work = dispatchers.submit(this::nextActivity);
        Future<Optional<LockedTurn>> turn = dispatchers.submit(this::nextTurn);
        awaitFirstSearches();

        for (int i = 0; i < ROUNDS; i++) {
            var instance = "order-" + i;
            provider.enqueueForOrchestrator(start(instance), null);
            LockedTurn first = taken(turn);
            turn = dispatchers.submit(this::nextTurn);
            provider.ackOrchestrationItem(firstAck(first).withWorkerItems(List.of(activity(instance, 2))));

            LockedWorkItem item = taken(work);
            work = dispatchers.submit(this::nextActivity);
            provider.ackWorkItem(item.lockToken(), completed(instance, 2));

            LockedTurn second = taken(turn);
            assertThat(second.item().history()).hasSize(1);
            assertThat(second.item().messages()).containsExactly(completed(instance, 2));
            turn = dispatchers.submit(this::nextTurn);
            provider.ackOrchestrationItem(TurnAck.of(second.lockToken(), 1));
        }

        // A search that happens to be under way when something is made is waited for, and finds it.
        assertThat(finds("worker_queue")).as("activities found by a search").isLessThanOrEqualTo(ROUNDS / 2);
        assertThat(finds("orch_queue")).as("turns found by a search").isLessThanOrEqualTo(ROUNDS);
    }

    @Test
    void a_completion_for_a_turn_that_is_held_is_not_looked_at_before_the_turn_ends() throws Exception {
        Future<Optional<LockedWorkItem>> work = dispatchers.submit(this::nextActivity);
        Future<Optional<LockedTurn>> turn = dispatchers.submit(this::nextTurn);
        awaitFirstSearches();
        provider.enqueueForOrchestrator(start("order"), null);
        TurnAck scheduling = firstAck(taken(turn)).withWorkerItems(List.of(activity("order", 2), activity("order", 3)));
        turn = dispatchers.submit(this::nextTurn);
        provider.ackOrchestrationItem(scheduling);
        LockedWorkItem one = taken(work);
        LockedWorkItem other = nextActivity().orElseThrow();

        provider.ackWorkItem(one.lockToken(), completion(one));
        LockedTurn held = taken(turn);
        turn = dispatchers.submit(this::nextTurn);
        long before = readsOf("order");
        provider.ackWorkItem(other.lockToken(), completion(other));
        provider.enqueueForOrchestrator(start("next"), null);
        assertThat(taken(turn).item().instance()).isEqualTo("next");
        assertThat(readsOf("order") - before).as("reads of the instance").isZero();

        turn = dispatchers.submit(this::nextTurn);
        provider.ackOrchestrationItem(TurnAck.of(held.lockToken(), 1));
        assertThat(taken(turn).item().messages()).containsExactly(completion(other));
    }

    private static WorkItem completion(LockedWorkItem activity) {
        return completed("order", ((WorkItem.ActivityExecute) activity.item()).id());
    }

    private long readsOf(String instance) {
        return emulator.requests().all().stream()
                .filter(request -> request.operation() == RequestKind.QUERY
                        && String.valueOf(request.partitionKey()).contains(instance))
                .count();
    }

    private void awaitFirstSearches() {
        await().until(() -> searches(request -> true).count() >= 4);
    }

    private long finds(String queue) {
        return searches(request -> request.itemCount() > 0
                        && String.valueOf(request.body()).contains("'" + queue + "'"))
                .count();
    }

    private Stream<LoggedRequest> searches(Predicate<LoggedRequest> which) {
        return emulator.requests().all().stream()
                .filter(request -> request.operation() == RequestKind.QUERY && request.partitionKey() == null)
                .filter(which);
    }

    private Optional<LockedTurn> nextTurn() {
        return provider.fetchOrchestrationItem(LOCK, LONG, null);
    }

    private Optional<LockedWorkItem> nextActivity() {
        return provider.fetchWorkItem(LOCK, LONG, null, TagFilter.defaultOnly());
    }

    private static <T> T taken(Future<Optional<T>> fetch) throws Exception {
        return fetch.get(LONG.toSeconds(), TimeUnit.SECONDS).orElseThrow();
    }
}
