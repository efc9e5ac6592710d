package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.DeletionAttempts.AT_ONCE;
import static io.sluice.provider.cosmos.DeletionAttempts.DUE_FOR_RENEWAL;
import static io.sluice.provider.cosmos.DeletionAttempts.TOO_LONG;
import static io.sluice.provider.cosmos.DeletionAttempts.isPatchOfHead;
import static io.sluice.provider.cosmos.DeletionAttempts.locks;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.models.CosmosPatchItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.deletion.DeletionOutcome;
import io.sluice.provider.document.DocumentIds;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deletions that another process aborts, since they were overdue. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AbortedDeletionIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    /** At which a deletion crashes, from its first request on. */
    private static final int POINTS = 11;

    private CosmosEmulator emulator;
    private DeletionAttempts attempts;
    private CosmosProvider deleter;
    private CosmosProvider other;
    private StoreSweep sweep;
    private StoreSweep sweepOfAnEarlyClock;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        attempts = new DeletionAttempts(fixture);
        deleter = attempts.provider();
        other = attempts.provider();
        sweep = attempts.sweep();
        sweepOfAnEarlyClock = attempts.sweepOfAnEarlyClock();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, AT_ONCE})
    void an_attempt_that_is_aborted_locks_no_further_member_and_says_why(int atOnce) {
        WideTree tree = WideTree.create(fixture, deleter, "root", 200);
        int at = 40;
        AtomicInteger locks = new AtomicInteger();
        CountDownLatch aborted = new CountDownLatch(1);
        emulator.faults().runBefore(locks(), 0, lock -> {
            int nth = locks.incrementAndGet();
            if (nth == at) {
                sweepOfAnEarlyClock.finishDeletions();
                attempts.clock().step(TOO_LONG);
                aborted.countDown();
            } else if (nth > at) {
                await(aborted);
            }
        });
        emulator.requests().clear();

        DeletionOutcome outcome = attempts.run(tree, atOnce);

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        DeletionOutcome.Aborted.class,
                        passing -> assertThat(passing.reason()).contains("another process aborted", "overdue"));
        assertThat(attempts.lockedMembers()).as("those under way, and no other").isBetween(at, at + atOnce - 1);
        attempts.assertFree(tree);
        assertThat(other.asManagementCapability()
                        .orElseThrow()
                        .deleteInstance("root", true)
                        .instancesDeleted())
                .isEqualTo(tree.size());
    }

    @Test
    void a_renewal_that_comes_late_revives_no_aborted_deletion() throws Exception {
        WideTree tree = WideTree.create(fixture, deleter, "root", 60);
        emulator.faults().runBefore(locks(), AT_ONCE, lock -> attempts.clock().step(DUE_FOR_RENEWAL));
        CompletableFuture<DeletionOutcome> attempt;
        try (HeldRequest late = HeldRequest.of(emulator, DeletionAttempts::isRenewal)) {
            attempt = CompletableFuture.supplyAsync(() -> attempts.run(tree, AT_ONCE));
            late.awaitHeld();
            attempts.clock().step(TOO_LONG);
            assertThat(other.read(tree.child(0))).as("it aborts the deletion").isNotEmpty();
            late.letGo();
        }

        assertThat(attempt.get(60, TimeUnit.SECONDS)).isInstanceOf(DeletionOutcome.Aborted.class);

        sweep.finishDeletions();
        attempts.assertFree(tree);
    }

    @Test
    void a_lock_that_is_written_after_the_abort_stops_nobody_and_is_removed() throws Exception {
        WideTree tree = WideTree.create(fixture, deleter, "root", 20);
        String slow = tree.child(7);
        CompletableFuture<DeletionOutcome> attempt;
        try (HeldRequest late = HeldRequest.of(emulator, request -> isPatchOfHead(slow, request))) {
            attempt = CompletableFuture.supplyAsync(() -> attempts.run(tree, AT_ONCE));
            late.awaitHeld();
            sweepOfAnEarlyClock.finishDeletions();
            attempts.clock().step(DUE_FOR_RENEWAL);
            assertThat(attempts.contents().ofType("root", "deletion")).isEmpty();
            late.letGo();
        }

        assertThat(attempt.get(60, TimeUnit.SECONDS)).isInstanceOf(DeletionOutcome.Aborted.class);

        attempts.assertFree(tree);
        assertThat(other.read(slow)).hasSize(1);
    }

    @Test
    void a_member_that_can_not_be_locked_does_not_keep_a_deletion_open() {
        WideTree tree = WideTree.create(fixture, deleter, "root", 40);
        String restless = tree.child(7);
        CosmosStore store = fixture.store();
        AtomicInteger tries = new AtomicInteger();
        FaultRule changing = emulator.faults().runBefore(request -> isPatchOfHead(restless, request), 0, lock -> {
            touch(store, restless);
            if (attempts.lockedMembers() == tree.size()) {
                attempts.clock().step(Duration.ofSeconds(5));
                if (tries.incrementAndGet() == 10) {
                    sweep.finishDeletions();
                }
            }
        });
        emulator.requests().clear();

        DeletionOutcome outcome = attempts.run(tree, AT_ONCE);

        assertThat(outcome).isInstanceOf(DeletionOutcome.Aborted.class);
        assertThat(tries).as("tries after the others were locked").hasValue(10);
        assertThat(attempts.renewals()).as("it did not proceed").isZero();
        changing.remove();
        attempts.assertFree(tree);
    }

    @Test
    void a_sweep_that_comes_to_abort_leaves_a_deletion_whose_deadline_was_just_renewed() throws Exception {
        WideTree tree = WideTree.create(fixture, deleter, "root", 20);
        String slow = tree.child(7);
        StoreSweep hasty = new StoreSweep(
                fixture.store(), InstantSource.fixed(attempts.clock().instant().plus(Duration.ofSeconds(31))));
        try (HeldRequest lock = HeldRequest.of(emulator, request -> isPatchOfHead(slow, request));
                HeldRequest abort = HeldRequest.of(emulator, AbortedDeletionIT::isDecision);
                HeldRequest count = HeldRequest.of(emulator, request -> isCount(slow, request))) {
            CompletableFuture<DeletionOutcome> attempt =
                    CompletableFuture.supplyAsync(() -> attempts.run(tree, AT_ONCE));
            lock.awaitHeld();
            CompletableFuture<Integer> sweeping = CompletableFuture.supplyAsync(hasty::finishDeletions);
            abort.awaitHeld();
            attempts.clock().step(DUE_FOR_RENEWAL);
            lock.letGo();
            count.awaitHeld();

            abort.letGo();

            assertThat(sweeping.get(60, TimeUnit.SECONDS)).as("finished").isZero();
            count.letGo();
            assertThat(attempt.get(60, TimeUnit.SECONDS)).isInstanceOf(DeletionOutcome.Deleted.class);
        }
        assertThat(attempts.renewals()).isEqualTo(1);
        assertThat(attempts.contents().documents()).isEmpty();
    }

    @Test
    void a_crash_at_any_point_leaves_a_tree_whole_or_gone_once_another_process_has_swept() {
        int requests = requestsOf(WideTree.create(fixture, deleter, "counted", 40));
        for (int point = 0; point < POINTS; point++) {
            WideTree tree = WideTree.create(fixture, deleter, "root-" + point, 40);
            crashAfter(requests * point / POINTS, tree);

            attempts.clock().step(TOO_LONG);
            sweep.finishDeletions();

            if (!attempts.heads(tree).isEmpty()) {
                attempts.assertFree(tree);
                assertThat(other.asManagementCapability()
                                .orElseThrow()
                                .deleteInstance(tree.root(), true)
                                .instancesDeleted())
                        .as("crash after %d tenths", point)
                        .isEqualTo(tree.size());
            }
            assertThat(attempts.contents().documents()).isEmpty();
        }
    }

    private void crashAfter(int last, WideTree tree) {
        AtomicInteger seen = new AtomicInteger();
        FaultRule crash = emulator.faults()
                .refuse(request -> StoreFixture.isData(request) && seen.incrementAndGet() > last, 0, 400, 0);
        assertThatThrownBy(() -> attempts.run(tree, AT_ONCE)).isInstanceOf(ProviderException.class);
        assertThat(crash.hits()).isPositive();
        crash.remove();
    }

    private static boolean isDecision(LoggedRequest request) {
        return DeletionAttempts.batch(request).startsWith("replace:deletion:");
    }

    private static boolean isCount(String instance, LoggedRequest request) {
        return request.operation() == RequestKind.QUERY
                && instance.equals(DeletionAttempts.instance(request))
                && request.body().contains("c.eventData");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private int requestsOf(WideTree tree) {
        emulator.requests().clear();
        assertThat(attempts.run(tree, AT_ONCE)).isInstanceOf(DeletionOutcome.Deleted.class);
        return fixture.dataRequests().size();
    }

    private void touch(CosmosStore store, String member) {
        store.container()
                .patchItem(
                        DocumentIds.instance(member),
                        new PartitionKey(member),
                        CosmosPatchOperations.create().increment("/updatedAt", 1),
                        new CosmosPatchItemRequestOptions(),
                        ObjectNode.class)
                .block();
    }
}
