package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.completed;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.started;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.testkit.CosmosAccount;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Requests of fetch and ack that their sender gave up, and that are applied all the same, later. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LateRequestsIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private final SteppedClock clock = new SteppedClock(InstantSource.system());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private CosmosProvider first;
    private CosmosProvider second;
    private CosmosEmulator emulator;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        first = fixture.provider(CosmosProvider.builder().reconciler(false).clock(clock));
        second = fixture.provider(CosmosProvider.builder().reconciler(false).clock(clock));
        first.enqueueForOrchestrator(start("order-1"), null);
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    @Test
    void an_ack_that_arrives_just_before_its_own_repetition_has_succeeded() {
        LockedTurn turn = takeTurn(first);
        try (HeldRequest late = HeldRequest.of(emulator, LateRequestsIT::isAck);
                NthRequest again =
                        NthRequest.doing(emulator, request -> isAck(request) && late.isNot(request), 1, late::letGo)) {

            first.ackOrchestrationItem(firstAck(turn));

            assertThat(again.happened()).as("it was sent again, and refused").isTrue();
        }
        assertThat(first.read("order-1")).containsExactly(started("order-1"));
        assertThat(fetchTurn(second)).as("the message is consumed").isNull();
    }

    @Test
    void an_ack_that_arrives_after_it_was_called_lost_commits_nothing() throws Exception {
        LockedTurn turn = takeTurn(first);
        try (HeldRequest late = HeldRequest.of(emulator, LateRequestsIT::isAck)) {
            Future<?> acking = threads.submit(() -> first.ackOrchestrationItem(firstAck(turn)));
            late.awaitHeld();
            clock.step(LOCK.plusMillis(1));

            assertThatThrownBy(() -> acking.get(30, TimeUnit.SECONDS)).hasMessageContaining("Invalid lock token");
            // Nobody has taken the instance meanwhile: only the fence stands between the late ack and the history.
            late.letGo();
        }

        assertThat(first.read("order-1")).isEmpty();
        assertThat(takeTurn(second).item().messages()).containsExactly(start("order-1"));
    }

    @Test
    void an_ack_that_arrives_just_before_it_is_fenced_off_has_succeeded() {
        CosmosProvider late = fixture.provider();
        LockedTurn turn = takeTurn(first);
        FaultRule unanswered = emulator.faults().dropConnection(LateRequestsIT::isAck, 1);
        Runnable lapse = () -> clock.step(LOCK.plusMillis(1));
        // What arrives late: the same ack under the same token, by a clock for which the lock still lives.
        Runnable arrival = () -> late.ackOrchestrationItem(firstAck(turn));
        try (NthRequest look = NthRequest.doing(emulator, request -> unanswered.hits() == 1, 1, lapse);
                NthRequest fence =
                        NthRequest.doing(emulator, request -> look.happened() && isFence(request), 1, arrival)) {

            first.ackOrchestrationItem(firstAck(turn));

            assertThat(fence.happened()).isTrue();
        }
        assertThat(first.read("order-1")).containsExactly(started("order-1"));
        assertThat(fetchTurn(second)).as("the message is consumed").isNull();
    }

    @Test
    void an_ack_of_an_activity_that_arrives_after_it_was_called_lost_removes_nothing() throws Exception {
        first.enqueueForWorker(activity("order-1", 2));
        String token = takeActivity(first).lockToken();
        try (HeldRequest late = HeldRequest.of(emulator, LateRequestsIT::isActivityAck)) {
            Future<?> acking = threads.submit(() -> first.ackWorkItem(token, completed("order-1", 2)));
            late.awaitHeld();
            clock.step(LOCK.plusMillis(1));

            assertThatThrownBy(() -> acking.get(30, TimeUnit.SECONDS)).hasMessageContaining("Invalid lock token");
            late.letGo();
        }

        assertThat(takeActivity(second).attemptCount()).isEqualTo(2);
        assertThat(takeTurn(second).item().messages()).containsExactly(start("order-1"));
    }

    @Test
    void an_ack_whose_thread_was_interrupted_is_found_to_have_succeeded_when_it_is_repeated() throws Exception {
        LockedTurn turn = takeTurn(first);
        AtomicReference<ProviderException> failure = new AtomicReference<>();
        try (HeldRequest late = HeldRequest.of(emulator, LateRequestsIT::isAck)) {
            Thread acking = new Thread(() -> {
                try {
                    first.ackOrchestrationItem(firstAck(turn));
                } catch (ProviderException e) {
                    failure.set(e);
                }
            });
            acking.start();
            late.awaitHeld();
            acking.interrupt();
            acking.join();
            late.letGo();
        }

        assertThat(failure.get())
                .isNotNull()
                .satisfies(e -> assertThat(e.retryable()).isTrue());
        first.ackOrchestrationItem(firstAck(turn));
        assertThat(first.read("order-1")).containsExactly(started("order-1"));
    }

    @Test
    void a_lock_that_arrives_after_its_repetition_changes_nothing() {
        LockedTurn turn;
        try (HeldRequest late = HeldRequest.of(emulator, LateRequestsIT::isLock)) {
            turn = takeTurn(first);
            late.letGo();
        }

        assertThat(turn.attemptCount()).isEqualTo(1);
        assertThat(fetchTurn(second)).isNull();
        first.ackOrchestrationItem(firstAck(turn));
        assertThat(second.read("order-1")).containsExactly(started("order-1"));
    }

    private static boolean isAck(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH
                && request.body().toLowerCase(Locale.ROOT).startsWith("replace:");
    }

    private static boolean isActivityAck(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH
                && request.body().toLowerCase(Locale.ROOT).startsWith("delete:");
    }

    private static boolean isFence(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH && request.body().equals("patch:order-1:instance");
    }

    private static boolean isLock(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH
                && request.body().toLowerCase(Locale.ROOT).startsWith("create:order-1:instance,");
    }
}
