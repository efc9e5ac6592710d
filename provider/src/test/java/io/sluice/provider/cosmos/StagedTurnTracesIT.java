package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.assertLockLost;
import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosBatchResponse;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.testkit.CosmosAccount;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The traces on which weaker variants of the staged protocol fail, each played against the real one. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StagedTurnTracesIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private static final String ORDER = "order-1";
    private static final int EVENTS = 300;

    private final AtomicLong ahead = new AtomicLong();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private CosmosStore store;
    private CosmosProvider first;
    private CosmosProvider second;
    private CosmosEmulator emulator;
    private LockedTurn turn;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        store = fixture.store();
        first = fixture.provider(CosmosProvider.builder().reconciler(false).clock(shifted()));
        second = fixture.provider(CosmosProvider.builder().reconciler(false).clock(shifted()));
        first.enqueueForOrchestrator(start(ORDER), null);
        turn = takeTurn(first);
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    @Test
    void a_renewal_after_the_commit_succeeds_and_leaves_the_far_lock_alone() {
        dieAfterCommit(turn);
        long before = lockedUntil();

        first.renewOrchestrationItemLock(turn.lockToken(), LOCK);

        assertThat(lockedUntil())
                .isEqualTo(before)
                .isGreaterThan(InstantSource.system().millis() + 1_000_000_000L);
        assertWhole(second);
    }

    @Test
    void abandoning_after_an_ack_that_was_committed_without_knowing_is_refused() {
        dieAfterCommit(turn);

        assertLockLost(() -> first.abandonOrchestrationItem(turn.lockToken(), null, true));

        assertWhole(second);
        assertThat(second.fetchOrchestrationItem(LOCK, NO_WAIT, null))
                .as("no message came back")
                .isEmpty();
    }

    @Test
    void the_same_ack_again_finds_its_commit_document_and_succeeds() {
        dieAfterCommit(turn);

        first.ackOrchestrationItem(ack(turn));

        assertWhole(first);
        assertNothingStaged();
    }

    @Test
    void another_ack_under_the_same_token_is_refused_for_good_once_one_is_committed() {
        dieAfterCommit(turn);
        HistoryEvent failed = event(ORDER, 1, new EventKind.OrchestrationCompleted("something else"));

        assertLockLost(
                () -> first.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1).withHistory(List.of(failed))));

        assertWhole(second);
    }

    @Test
    void another_process_with_the_token_cannot_ack_over_the_committed_turn() {
        dieAfterCommit(turn);

        assertLockLost(() -> second.ackOrchestrationItem(ack(turn)));

        assertWhole(second);
        assertNothingStaged();
    }

    @Test
    void a_failure_recorded_after_a_staging_that_broke_down_is_the_only_turn() {
        FaultRule broken = emulator.faults().refuse(request -> isStaging(request, 3), 0, 400, 0);
        assertThatThrownBy(() -> first.ackOrchestrationItem(ack(turn))).isInstanceOf(ProviderException.class);
        broken.remove();
        HistoryEvent failed = event(ORDER, 1, new EventKind.OrchestrationCompleted("failed instead"));

        first.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1).withHistory(List.of(failed)));

        assertThat(second.read(ORDER)).containsExactly(failed);
        second.enqueueForOrchestrator(StoreFixture.raised(ORDER, "next"), null);
        takeTurn(second);
        assertNothingStaged();
    }

    @Test
    void a_part_that_arrives_late_brings_nothing_back() throws Exception {
        FaultRule late =
                emulator.faults().delay(request -> isStaging(request, 2), 1, java.time.Duration.ofMillis(1_500));
        Future<?> acking = threads.submit(() -> first.ackOrchestrationItem(ack(turn)));
        org.awaitility.Awaitility.await().until(() -> late.hits() == 1);
        // The holder is slow, its lock lapses, another takes the turn and removes what was staged; then the part
        // arrives.
        ahead.addAndGet(LOCK.toMillis() + 1);
        LockedTurn again = takeTurn(second);

        assertThatThrownBy(() -> acking.get(30, TimeUnit.SECONDS)).hasMessageContaining("Invalid lock token");
        second.ackOrchestrationItem(ack(again));

        assertWhole(second);
        assertNothingStaged();
    }

    @Test
    void a_first_part_that_arrives_again_after_it_was_applied_is_not_applied_again() {
        try (HeldRequest late = HeldRequest.of(emulator, request -> isStaging(request, 1));
                NthRequest partTwo = NthRequest.doing(emulator, StagedTurnTracesIT::appliesPartTwo, 1, late::letGo)) {

            first.ackOrchestrationItem(ack(turn));

            assertThat(partTwo.happened()).isTrue();
        }
        assertThat(documents("SELECT * FROM c WHERE c.type = 'staged' AND c.kind = 'try'"))
                .as("the late batch brought its try back, by which the next holder finds the part")
                .hasSize(1);
        assertWhole(second);
        second.enqueueForOrchestrator(StoreFixture.raised(ORDER, "next"), null);
        takeTurn(second);
        assertNothingStaged();
        assertWhole(second);
    }

    @Test
    void a_former_holder_that_names_no_version_is_stopped_by_the_message_it_deletes() {
        ObjectNode instance =
                documents("SELECT * FROM c WHERE c.type = 'instance'").get(0);
        ObjectNode message =
                documents("SELECT * FROM c WHERE c.type = 'orch_queue'").get(0);
        dieAfterCommit(turn);
        CosmosBatch ack = CosmosBatch.createCosmosBatch(new PartitionKey(ORDER));
        ack.upsertItemOperation(instance.putNull("lockToken").putNull("lockedUntil"));
        ack.deleteItemOperation(message.path("id").asText());

        CosmosBatchResponse answer =
                Objects.requireNonNull(store.container().executeCosmosBatch(ack).block());

        assertThat(answer.isSuccessStatusCode()).isFalse();
        assertThat(lockedUntil()).isGreaterThan(InstantSource.system().millis() + 1_000_000_000L);
        assertWhole(second);
    }

    @Test
    void an_answer_lost_at_every_request_costs_nothing() {
        FaultRule lost = emulator.faults()
                .loseAnswer(
                        new java.util.function.Predicate<>() {
                            private final java.util.Set<String> seen =
                                    java.util.concurrent.ConcurrentHashMap.newKeySet();

                            @Override
                            public boolean test(LoggedRequest request) {
                                return request.operation() == RequestKind.BATCH && seen.add(request.body());
                            }
                        },
                        0);

        first.ackOrchestrationItem(ack(turn));

        assertThat(lost.hits()).isGreaterThanOrEqualTo(8);
        assertWhole(second);
        assertNothingStaged();
    }

    @Test
    void a_renewal_in_the_middle_of_staging_does_not_cost_the_ack() {
        emulator.faults().delay(request -> isStaging(request, 3) && renews(), 1, java.time.Duration.ZERO);

        first.ackOrchestrationItem(ack(turn));

        assertWhole(second);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void helpers_race_over_the_same_parts_and_each_is_applied_once(long seed) throws Exception {
        dieAfterCommit(turn);
        SplittableRandom random = new SplittableRandom(seed);
        emulator.faults().loseAnswer(request -> request.operation() == RequestKind.BATCH && draw(random) < 20, 0);
        emulator.faults().refuse(request -> request.operation() == RequestKind.BATCH && draw(random) < 10, 0, 449, 0);
        List<CosmosProvider> helpers = IntStream.range(0, 4)
                .mapToObj(i -> fixture.provider(
                        CosmosProvider.builder().reconciler(false).clock(shifted())))
                .toList();

        List<Future<Integer>> seen = new ArrayList<>();
        for (CosmosProvider helper : helpers) {
            seen.add(threads.submit(() -> helper.read(ORDER).size()));
            seen.add(threads.submit(
                    () -> helper.fetchOrchestrationItem(LOCK, NO_WAIT, null).isPresent() ? -1 : EVENTS));
        }

        for (Future<Integer> size : seen) {
            assertThat(size.get(60, TimeUnit.SECONDS)).isEqualTo(EVENTS);
        }
        emulator.faults().clear();
        assertWhole(second);
        assertNothingStaged();
    }

    private static int draw(SplittableRandom random) {
        synchronized (random) {
            return random.nextInt(100);
        }
    }

    private boolean renews() {
        try {
            threads.submit(() -> first.renewOrchestrationItemLock(turn.lockToken(), LOCK))
                    .get(60, TimeUnit.SECONDS);
            return true;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** The holder's thread dies when its commit has been applied; its answer never arrived. */
    private void dieAfterCommit(LockedTurn held) {
        int staged = (EVENTS - 1 + 96) / 97;
        boolean died = CrashPoint.dies(
                emulator,
                1 + staged + 1,
                CrashPoint.LastRequest.ANSWER_LOST,
                () -> first.ackOrchestrationItem(ack(held)));
        assertThat(died).isTrue();
        assertThat(documents("SELECT * FROM c WHERE c.type = 'staged' AND c.kind = 'commit'"))
                .hasSize(1);
    }

    private static TurnAck ack(LockedTurn held) {
        return TurnAck.of(held.lockToken(), 1).withHistory(events());
    }

    private static List<HistoryEvent> events() {
        return IntStream.rangeClosed(1, EVENTS)
                .mapToObj(id -> event(ORDER, id, new EventKind.ExternalEvent("e" + id, "{}")))
                .toList();
    }

    private static boolean isStaging(LoggedRequest request, int part) {
        return request.operation() == RequestKind.BATCH
                && request.body().contains("staged:")
                && request.body().endsWith(":" + part);
    }

    private static boolean appliesPartTwo(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH
                && request.body().contains(":commit,")
                && request.body().matches("(?is)replace:staged:[^,]*:commit,delete:staged:[^,]*:2,.*");
    }

    private void assertWhole(CosmosProvider reader) {
        assertThat(reader.read(ORDER)).isEqualTo(events());
    }

    private long lockedUntil() {
        ObjectNode instance =
                documents("SELECT * FROM c WHERE c.type = 'instance'").get(0);
        return instance.path("lockedUntil").asLong();
    }

    private void assertNothingStaged() {
        assertThat(documents("SELECT * FROM c WHERE c.type = 'staged'")).isEmpty();
    }

    private List<ObjectNode> documents(String query) {
        return Objects.requireNonNull(store.container()
                .queryItems(
                        query,
                        new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(ORDER)),
                        ObjectNode.class)
                .collectList()
                .block());
    }

    private InstantSource shifted() {
        return () -> InstantSource.system().instant().plusMillis(ahead.get());
    }
}
