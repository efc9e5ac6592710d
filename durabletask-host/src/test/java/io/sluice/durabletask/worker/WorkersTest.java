package io.sluice.durabletask.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.durabletask.wire.Protocol.GetWorkItemsRequest;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.Protocol.WorkItemFilters;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WorkersTest {
    private final Workers workers = new Workers();

    private WorkerStream connect(FakeStream stream, int turns, String... names) {
        GetWorkItemsRequest.Builder request =
                GetWorkItemsRequest.newBuilder().setMaxConcurrentOrchestrationWorkItems(turns);
        if (names.length > 0) {
            WorkItemFilters.Builder filters = request.getWorkItemFiltersBuilder();
            for (String name : names) {
                filters.addOrchestrationsBuilder().setName(name);
            }
        }
        return workers.connect(WorkerOffer.of(request.build(), 100), new Connection(), stream);
    }

    /** Returns when the dispatcher has looked for a credit, and has one or waits for it. */
    private CompletableFuture<Optional<WorkFilter>> dispatcherWaits() {
        CompletableFuture<Optional<WorkFilter>> filter = new CompletableFuture<>();
        Thread dispatcher = new Thread(
                () -> {
                    try {
                        filter.complete(workers.awaitCredit(WorkKind.TURN));
                    } catch (InterruptedException e) {
                        filter.completeExceptionally(e);
                    }
                },
                "dispatcher");
        dispatcher.setDaemon(true);
        dispatcher.start();
        await().until(() -> filter.isDone() || dispatcher.getState() == Thread.State.WAITING);
        return filter;
    }

    @Test
    void a_dispatcher_waits_until_a_worker_connects() {
        CompletableFuture<Optional<WorkFilter>> filter = dispatcherWaits();
        assertThat(filter).isNotDone();

        connect(new FakeStream(), 1);

        assertThat(filter.join()).contains(WorkFilter.ALL);
    }

    @Test
    void no_more_dispatchers_look_for_work_than_workers_have_credits() throws InterruptedException {
        connect(new FakeStream(), 1);
        workers.awaitCredit(WorkKind.TURN);

        CompletableFuture<Optional<WorkFilter>> second = dispatcherWaits();
        assertThat(second).isNotDone();

        workers.fetched(WorkKind.TURN);
        assertThat(second.join()).isPresent();
    }

    @Test
    void workers_that_want_no_limit_keep_no_dispatcher_waiting() {
        connect(new FakeStream(), Integer.MAX_VALUE);
        connect(new FakeStream(), Integer.MAX_VALUE);

        assertThat(dispatcherWaits().orTimeout(30, TimeUnit.SECONDS).join()).contains(WorkFilter.ALL);
    }

    @Test
    void what_is_in_a_workers_hand_takes_a_credit_until_it_is_released() {
        connect(new FakeStream(), 1);
        WorkerStream stream = workers.assign(WorkKind.TURN, "o", "").orElseThrow();

        assertThat(workers.assign(WorkKind.TURN, "o", "")).isEmpty();
        workers.release(WorkKind.TURN, stream);

        assertThat(workers.assign(WorkKind.TURN, "o", "")).contains(stream);
        assertThat(workers.inHand(WorkKind.TURN)).isEqualTo(1);
        assertThat(workers.inHand(WorkKind.ACTIVITY)).isZero();
    }

    @Test
    void the_worker_with_the_least_in_hand_gets_an_item() {
        WorkerStream first = connect(new FakeStream(), 5);
        WorkerStream second = connect(new FakeStream(), 5);

        WorkerStream one = workers.assign(WorkKind.TURN, "o", "").orElseThrow();
        WorkerStream other = workers.assign(WorkKind.TURN, "o", "").orElseThrow();

        assertThat(List.of(one, other)).containsExactlyInAnyOrder(first, second);
    }

    @Test
    void only_what_some_worker_with_a_credit_takes_is_fetched() throws InterruptedException {
        connect(new FakeStream(), 1, "a");
        connect(new FakeStream(), 1, "b");
        assertThat(workers.awaitCredit(WorkKind.TURN)).contains(new WorkFilter(Map.of("a", Set.of(), "b", Set.of())));

        assertThat(workers.assign(WorkKind.TURN, "a", "")).isPresent();
        workers.fetched(WorkKind.TURN);

        assertThat(workers.awaitCredit(WorkKind.TURN)).contains(new WorkFilter(Map.of("b", Set.of())));
        assertThat(workers.assign(WorkKind.TURN, "a", "")).isEmpty();
    }

    @Test
    void a_worker_that_names_nothing_gets_nothing() {
        GetWorkItemsRequest.Builder request = GetWorkItemsRequest.newBuilder();
        request.getWorkItemFiltersBuilder().addActivitiesBuilder().setName("only this");
        workers.connect(WorkerOffer.of(request.build(), 100), new Connection(), new FakeStream());

        assertThat(dispatcherWaits()).isNotDone();
        assertThat(workers.assign(WorkKind.TURN, "o", "")).isEmpty();
        assertThat(workers.assign(WorkKind.ACTIVITY, "only this", "1")).isPresent();
    }

    @Test
    void a_stream_whose_buffer_is_full_gets_nothing_until_it_has_room() {
        FakeStream slow = new FakeStream();
        slow.isReady = false;
        connect(slow, 5);
        CompletableFuture<Optional<WorkFilter>> filter = dispatcherWaits();
        assertThat(filter).isNotDone();

        slow.isReady = true;
        workers.changed();

        assertThat(filter.join()).isPresent();
    }

    @Test
    void closing_ends_streams_and_waiting() {
        FakeStream stream = new FakeStream();
        WorkerStream connected = connect(stream, 1);
        connected.send(WorkItem.getDefaultInstance());
        workers.assign(WorkKind.TURN, "o", "");
        CompletableFuture<Optional<WorkFilter>> filter = dispatcherWaits();

        workers.close();

        assertThat(filter.join()).isEmpty();
        assertThat(stream.isCompleted).isTrue();
        assertThat(connected.send(WorkItem.getDefaultInstance())).isFalse();
        await().untilAsserted(() -> assertThat(stream.sent).hasSize(1));
    }

    @Test
    void a_stream_that_has_ended_gets_nothing() {
        FakeStream stream = new FakeStream();
        WorkerStream connected = connect(stream, 1);

        workers.disconnect(connected);

        assertThat(connected.send(WorkItem.getDefaultInstance())).isFalse();
        assertThat(workers.count()).isZero();
        assertThat(workers.assign(WorkKind.TURN, "o", "")).isEmpty();
    }

    private static GetWorkItemsRequest naming(int names, String text) {
        GetWorkItemsRequest.Builder request = GetWorkItemsRequest.newBuilder();
        for (int i = 0; i < names; i++) {
            request.getWorkItemFiltersBuilder()
                    .addActivitiesBuilder()
                    .setName(i + text)
                    .addVersions("1");
        }
        return request.build();
    }

    @Test
    void a_worker_of_thousands_of_names_is_taken_in() {
        WorkerOffer offer = WorkerOffer.of(naming(5_000, "-charge"), 100);

        assertThat(offer.filter(WorkKind.ACTIVITY).accepts("4999-charge", "1")).isTrue();
    }

    @Test
    void filters_that_no_application_has_are_refused_with_their_limit() {
        assertThatThrownBy(() -> WorkerOffer.of(naming(5_001, ""), 100))
                .hasMessageContaining("INVALID_ARGUMENT")
                .hasMessageContaining("workItemFilters")
                .hasMessageContaining("at most 10000 names and versions together, had 10002");
        assertThatThrownBy(() -> WorkerOffer.of(naming(2, "x".repeat(600_000)), 100))
                .hasMessageContaining("at most 1048576 bytes together, had 12000");
    }
}
