package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.assertLockLost;
import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.started;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ProviderException;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Turns of more than one batch: all of the turn or none of it, whatever dies, and nothing left behind. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StagedTurnsIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private static final String ORDER = "order-1";

    private final AtomicLong ahead = new AtomicLong();
    private CosmosStore store;
    private CosmosProvider first;
    private CosmosProvider second;
    private CosmosEmulator emulator;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        store = fixture.store();
        first = fixture.provider(CosmosProvider.builder().reconciler(false).clock(shifted()));
        second = fixture.provider(CosmosProvider.builder().reconciler(false).clock(shifted()));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 98, 99, 100, 101, 350})
    void a_turn_of_any_size_is_stored_whole(int operations) {
        assertStoredWhole(operations);
    }

    @Test
    @Tag("thorough")
    void a_turn_of_five_thousand_operations_is_stored_whole() {
        assertStoredWhole(5_000);
    }

    private void assertStoredWhole(int operations) {
        first.enqueueForOrchestrator(start(ORDER), null);
        LockedTurn turn = takeTurn(first);
        int events = (operations + 1) / 2;
        int activities = operations - events;

        first.ackOrchestrationItem(turn(turn, events, activities));

        assertThat(second.read(ORDER)).isEqualTo(events(events));
        assertThat(storedActivities(ORDER)).isEqualTo(activities(activities));
        assertThat(second.fetchOrchestrationItem(LOCK, NO_WAIT, null))
                .as("no message is left")
                .isEmpty();
        assertNothingStaged();
        assertLockFree();
    }

    @Test
    void two_hundred_and_fifty_messages_are_consumed_by_one_turn_without_events() {
        List<WorkItem> messages = enqueueMessages(250);
        LockedTurn turn = takeTurn(first);
        assertThat(turn.item().messages()).hasSize(251).endsWith(messages.get(249));

        first.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));

        assertThat(second.fetchOrchestrationItem(LOCK, NO_WAIT, null)).isEmpty();
        assertNothingStaged();
    }

    @Test
    void a_message_that_arrives_meanwhile_is_the_next_turns() {
        enqueueMessages(250);
        LockedTurn turn = takeTurn(first);
        second.enqueueForOrchestrator(raised(ORDER, "late"), null);

        first.ackOrchestrationItem(turn(turn, 120, 120));

        assertThat(takeTurn(second).item().messages()).containsExactly(raised(ORDER, "late"));
    }

    @Test
    void more_than_two_megabytes_are_stored_whole() {
        first.enqueueForOrchestrator(start(ORDER), null);
        LockedTurn turn = takeTurn(first);
        List<HistoryEvent> events = new ArrayList<>();
        for (int i = 1; i <= 9; i++) {
            events.add(event(ORDER, i, new EventKind.ExternalEvent("big", "\"" + "ü".repeat(300_000) + "\"")));
        }

        first.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1).withHistory(events));

        assertThat(second.read(ORDER)).isEqualTo(events);
        assertNothingStaged();
    }

    @Test
    void a_document_that_fits_no_batch_is_refused_before_anything_is_written() {
        first.enqueueForOrchestrator(start(ORDER), null);
        LockedTurn turn = takeTurn(first);
        List<HistoryEvent> events = new ArrayList<>(events(120));
        events.add(event(ORDER, 500, new EventKind.ExternalEvent("big", "x".repeat(1_900_000))));

        assertThatThrownBy(() -> first.ackOrchestrationItem(
                        TurnAck.of(turn.lockToken(), 1).withHistory(events)))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining(ORDER)
                .hasMessageContaining("order-1:history:1:500")
                .hasMessageContaining("1800000");

        assertNothingStaged();
        assertThat(first.read(ORDER)).isEmpty();
    }

    @Test
    void an_event_id_that_exists_or_repeats_changes_nothing() {
        first.enqueueForOrchestrator(start(ORDER), null);
        first.appendWithExecution(ORDER, 1, List.of(event(ORDER, 117, new EventKind.ExternalEvent("e", "{}"))));
        LockedTurn turn = takeTurn(first);
        List<HistoryEvent> repeating = new ArrayList<>(events(110));
        repeating.add(repeating.get(5));

        assertDuplicate(() -> first.ackOrchestrationItem(turn(turn, 150, 0)));
        assertDuplicate(
                () -> first.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1).withHistory(repeating)));

        assertThat(first.read(ORDER)).hasSize(1);
        assertNothingStaged();
        first.ackOrchestrationItem(turn(turn, 1, 0));
    }

    @Test
    void cancelled_activities_go_with_the_commit_and_a_faster_worker_does_not_matter() {
        first.enqueueForOrchestrator(start(ORDER), null);
        first.ackOrchestrationItem(turn(takeTurn(first), 1, 120));
        first.enqueueForOrchestrator(raised(ORDER, "cancel"), null);
        LockedTurn turn = takeTurn(first);
        List<ScheduledActivityIdentifier> cancelled = IntStream.range(0, 120)
                .mapToObj(id -> new ScheduledActivityIdentifier(ORDER, 1, id))
                .toList();
        LockedWorkItem running = StoreFixture.takeActivity(second);
        AtomicBoolean acked = new AtomicBoolean();
        emulator.faults()
                .delay(
                        request -> isCommit(request)
                                && acked.compareAndSet(false, true)
                                && acks(second, running.lockToken()),
                        1,
                        Duration.ofMillis(1));

        first.ackOrchestrationItem(
                TurnAck.of(turn.lockToken(), 1).withHistory(eventsFrom(2, 50)).withCancelledActivities(cancelled));

        assertThat(takeActivities(second)).isEmpty();
        assertThat(first.read(ORDER)).hasSize(51);
        assertNothingStaged();
    }

    @ParameterizedTest
    @EnumSource(CrashPoint.LastRequest.class)
    @Covers({"wire 7", "wire 24"})
    void a_crash_after_any_request_leaves_the_old_turn_or_the_new_one(CrashPoint.LastRequest last) {
        boolean died = true;
        boolean committedOnce = false;
        boolean lostOnce = false;
        // In the first tier every second request, and after a lost answer the others.
        int step = Tier.times(2, 1);
        int from = last == CrashPoint.LastRequest.ANSWERED ? 0 : step - 1;
        for (int requests = from; died; requests += step) {
            String instance = "order-" + requests;
            first.enqueueForOrchestrator(start(instance), null);
            CosmosProvider dying =
                    fixture.provider(CosmosProvider.builder().reconciler(false).clock(shifted()));
            LockedTurn turn = takeTurn(dying);
            TurnAck ack = turn(turn, 240, 50);
            died = CrashPoint.dies(emulator, requests, last, () -> dying.ackOrchestrationItem(ack));

            int seen = second.read(instance).size();
            assertThat(seen).as("events seen after %d requests", requests).isIn(0, 240);
            ahead.addAndGet(LOCK.toMillis() + 1);
            Optional<LockedTurn> next = second.fetchOrchestrationItem(LOCK, NO_WAIT, null);
            boolean committed = second.read(instance).size() == 240;
            assertThat(committed || seen == 0).as("what was seen stays").isTrue();
            assertThat(next.isPresent()).as("the old turn again, or nothing").isEqualTo(!committed);
            next.ifPresent(again -> second.ackOrchestrationItem(turn(again, 240, 50)));
            committedOnce |= committed;
            lostOnce |= !committed;

            assertThat(second.read(instance)).isEqualTo(events(instance, 240));
            assertThat(storedActivities(instance)).isEqualTo(activities(instance, 50));
            assertNothingStaged();
            assertLockLost(() -> first.renewOrchestrationItemLock(turn.lockToken(), LOCK));
        }
        assertThat(committedOnce).isTrue();
        assertThat(lostOnce).isTrue();
    }

    @Test
    void a_committed_turn_is_finished_by_the_next_that_looks_for_work() {
        dieAfterCommit();

        assertThat(second.fetchOrchestrationItem(LOCK, NO_WAIT, null)).isEmpty();

        assertNothingStaged();
        assertLockFree();
        assertThat(takeActivities(second)).hasSize(120);
    }

    @Test
    void a_committed_turn_keeps_its_lock_until_it_is_applied() {
        String token = dieAfterCommit();

        assertLockLost(() -> second.abandonOrchestrationItem(token, null, false));
        second.renewOrchestrationItemLock(token, LOCK);

        assertThat(fixture.documents(store, ORDER, "instance"))
                .as("also for writers that know nothing of parts")
                .singleElement()
                .satisfies(head -> {
                    assertThat(head.path("lockToken").asText()).isEqualTo(token);
                    assertThat(head.path("lockedUntil").asLong()).isEqualTo(InstanceDocument.LOCKED_FAR);
                });
        assertThat(second.read(ORDER)).hasSize(120);
        assertLockFree();
    }

    @Test
    void a_lock_that_is_not_of_the_committed_turn_stays() {
        dieAfterCommit();
        // No writer of this protocol takes it; others may, or an operator who makes the instance anew.
        ObjectNode head = fixture.documents(store, ORDER, "instance").get(0).deepCopy();
        store.container()
                .upsertItem(head.put("lockToken", "of another"), new PartitionKey(ORDER), null)
                .block();

        assertThat(second.read(ORDER)).hasSize(120);

        assertNothingStaged();
        assertThat(fixture.documents(store, ORDER, "instance"))
                .singleElement()
                .satisfies(
                        stored -> assertThat(stored.path("lockToken").asText()).isEqualTo("of another"));
    }

    /** The first process commits a turn of 120 events and 120 activities and dies. Returns the token of its lock. */
    private String dieAfterCommit() {
        first.enqueueForOrchestrator(start(ORDER), null);
        LockedTurn turn = takeTurn(first);
        AtomicBoolean committed = new AtomicBoolean();
        FaultRule dead = emulator.faults()
                .refuse(
                        request -> committed.get() || (isCommit(request) && !committed.compareAndSet(false, true)),
                        0,
                        400,
                        0);
        first.ackOrchestrationItem(turn(turn, 120, 120));
        assertThat(dead.hits()).as("it died after its commit").isPositive();
        dead.remove();
        return turn.lockToken();
    }

    @Test
    void a_reader_sees_the_old_turn_or_the_new_one_at_every_request() {
        first.enqueueForOrchestrator(start(ORDER), null);
        LockedTurn turn = takeTurn(first);
        List<HistoryEvent> events = new ArrayList<>(events(150));
        events.add(event(ORDER, 151, new EventKind.KeyValueSet("total", "7", 1)));
        List<Integer> sizes = new ArrayList<>();
        List<Optional<String>> totals = new ArrayList<>();
        ThreadLocal<Boolean> reading = ThreadLocal.withInitial(() -> false);
        emulator.faults()
                .delay(
                        request -> {
                            if (request.operation() == RequestKind.BATCH && !helping(request) && !reading.get()) {
                                reading.set(true);
                                sizes.add(
                                        onAnotherThread(() -> second.read(ORDER).size()));
                                totals.add(onAnotherThread(() -> second.getKvValue(ORDER, "total")));
                                reading.set(false);
                            }
                            return false;
                        },
                        0,
                        Duration.ZERO);

        first.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1).withHistory(events));

        assertThat(sizes).contains(0).allMatch(size -> size == 0 || size == 151);
        assertThat(totals).hasSameSizeAs(sizes);
        assertThat(second.read(ORDER)).hasSize(151);
        assertThat(second.getKvValue(ORDER, "total")).contains("7");
    }

    @Test
    void history_reaches_the_change_feed_in_order() {
        first.enqueueForOrchestrator(start(ORDER), null);
        first.ackOrchestrationItem(turn(takeTurn(first), 400, 0));

        List<Long> order = changes().stream()
                .filter(change -> change.path("type").asText().equals("history"))
                .map(change -> change.path("eventId").asLong())
                .toList();

        assertThat(order).hasSize(400).isSorted();
    }

    private List<ObjectNode> changes() {
        var options = com.azure.cosmos.models.CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(
                com.azure.cosmos.models.FeedRange.forLogicalPartition(new PartitionKey(ORDER)));
        List<ObjectNode> changes = new ArrayList<>();
        store.container()
                .queryChangeFeed(options, ObjectNode.class)
                .byPage()
                .takeUntil(page -> page.getResults().isEmpty())
                .toIterable()
                .forEach(page -> changes.addAll(page.getResults()));
        return changes;
    }

    private boolean acks(CosmosProvider worker, String token) {
        onAnotherThread(() -> {
            worker.ackWorkItem(token, StoreFixture.completed(ORDER, 0));
            return true;
        });
        return true;
    }

    private static <T> T onAnotherThread(java.util.concurrent.Callable<T> action) {
        var task = new java.util.concurrent.FutureTask<>(action);
        new Thread(task, "aside").start();
        try {
            return task.get(30, java.util.concurrent.TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("aside", e);
        }
    }

    private static boolean isCommit(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH
                && request.body().toLowerCase(Locale.ROOT).startsWith("replace:" + ORDER + ":instance");
    }

    /** Whether it is one that a reader may send too, having met an unfinished turn. */
    private static boolean helping(LoggedRequest request) {
        return request.body().contains(":commit") && !isCommit(request);
    }

    private List<WorkItem> enqueueMessages(int count) {
        first.enqueueForOrchestrator(start(ORDER), null);
        List<WorkItem> messages =
                IntStream.range(0, count).mapToObj(i -> raised(ORDER, "m" + i)).toList();
        messages.forEach(message -> first.enqueueForOrchestrator(message, null));
        return messages;
    }

    private static TurnAck turn(LockedTurn turn, int events, int activities) {
        String instance = turn.item().instance();
        return TurnAck.of(turn.lockToken(), 1)
                .withHistory(events(instance, events))
                .withWorkerItems(activities(instance, activities))
                .withMetadata(ExecutionMetadata.NONE.withOrchestration("Order", "1.0.0"));
    }

    private static List<HistoryEvent> events(int count) {
        return events(ORDER, count);
    }

    private static List<HistoryEvent> events(String instance, int count) {
        List<HistoryEvent> events = new ArrayList<>();
        events.add(started(instance));
        for (int id = 2; id <= count; id++) {
            events.add(event(instance, id, new EventKind.ExternalEvent("e" + id, "{}")));
        }
        return events;
    }

    private static List<HistoryEvent> eventsFrom(int from, int count) {
        return IntStream.range(from, from + count)
                .mapToObj(id -> event(ORDER, id, new EventKind.ExternalEvent("e" + id, "{}")))
                .toList();
    }

    private static List<WorkItem> activities(int count) {
        return activities(ORDER, count);
    }

    private static List<WorkItem> activities(String instance, int count) {
        return IntStream.range(0, count).mapToObj(id -> activity(instance, id)).toList();
    }

    private static List<WorkItem> takeActivities(CosmosProvider provider) {
        List<WorkItem> taken = new ArrayList<>();
        Optional<LockedWorkItem> next = provider.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.defaultOnly());
        while (next.isPresent()) {
            taken.add(next.get().item());
            provider.ackWorkItem(next.get().lockToken(), null);
            next = provider.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.defaultOnly());
        }
        return taken;
    }

    /** In the order in which workers take them. */
    private List<WorkItem> storedActivities(String instance) {
        return fixture.documents(store, instance, "worker_queue").stream()
                .sorted(Comparator.comparingLong((ObjectNode document) ->
                                document.path("enqueuedAt").asLong())
                        .thenComparing(document -> document.path("id").asText()))
                .map(document -> WorkItemJson.decode(document.path("workItem").asText()))
                .toList();
    }

    private void assertNothingStaged() {
        assertThat(documents("SELECT VALUE c.id FROM c WHERE c.type = 'staged'"))
                .isEmpty();
    }

    private void assertLockFree() {
        assertThat(documents("SELECT VALUE c.id FROM c WHERE c.type = 'instance' AND NOT IS_NULL(c.lockToken)"))
                .isEmpty();
    }

    private List<String> documents(String query) {
        return store.container()
                .queryItems(query, new CosmosQueryRequestOptions(), String.class)
                .collectList()
                .block();
    }

    private static void assertDuplicate(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining("duplicate");
    }

    private InstantSource shifted() {
        return () -> InstantSource.system().instant().plusMillis(ahead.get());
    }
}
