package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.DeletionAttempts.AT_ONCE;
import static io.sluice.provider.cosmos.DeletionAttempts.batch;
import static io.sluice.provider.cosmos.DeletionAttempts.instance;
import static io.sluice.provider.cosmos.DeletionAttempts.isPatchOfHead;
import static io.sluice.provider.cosmos.DeletionAttempts.locks;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.provider.cosmos.deletion.DeletionOutcome;
import io.sluice.provider.outbox.PurgeMarker;
import io.sluice.provider.outbox.PurgeMarkers;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Trees that take longer to delete than a deletion may stay undecided. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LargeDeletionIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private CosmosEmulator emulator;
    private DeletionAttempts attempts;
    private CosmosProvider deleter;
    private StoreSweep sweep;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        attempts = new DeletionAttempts(fixture);
        deleter = attempts.provider();
        sweep = attempts.sweep();
    }

    @Test
    void a_tree_that_takes_longer_to_lock_than_the_deadline_is_deleted_however_often_sweeps_look() {
        WideTree tree = WideTree.create(fixture, deleter, "root", 150);
        AtomicInteger sweeps = new AtomicInteger();
        FaultRule slow = emulator.faults().runBefore(locks(), 0, lock -> {
            attempts.clock().step(Duration.ofMillis(500));
            if (sweeps.incrementAndGet() % 10 == 0) {
                sweep.finishDeletions();
            }
        });

        assertThat(deleter.asManagementCapability()
                        .orElseThrow()
                        .deleteInstance("root", true)
                        .instancesDeleted())
                .isEqualTo(tree.size());

        assertThat(slow.hits()).as("locks of half a second each").isEqualTo(tree.size());
        assertThat(attempts.renewals()).as("one in ten seconds").isBetween(3, 8);
        assertThat(attempts.contents().documents()).isEmpty();
    }

    @Test
    void a_tree_whose_history_takes_long_to_be_asked_for_is_deleted_however_often_sweeps_look() {
        WideTree tree = WideTree.create(fixture, deleter, "root", 120);
        PurgeMarkers relay = new PurgeMarkers(fixture.store().container(), attempts.clock());
        AtomicInteger markers = new AtomicInteger();
        emulator.faults().runAfter(request -> batch(request).startsWith("create:purge:"), 0, created -> {
            attempts.clock().step(Duration.ofSeconds(1));
            if (markers.incrementAndGet() % 10 == 0) {
                sweep.finishDeletions();
            }
            attempts.contents().ofType(instance(created), "purge").stream()
                    .flatMap(purge -> PurgeMarker.in(purge).stream())
                    .forEach(relay::answer);
        });

        DeletionOutcome outcome = attempts.run(tree, AT_ONCE, Duration.ofSeconds(30));

        assertThat(outcome).isInstanceOf(DeletionOutcome.Deleted.class);
        assertThat(markers.get()).as("a second each, of 70 to decide").isGreaterThanOrEqualTo(tree.size());
        assertThat(attempts.renewals()).as("one in ten seconds").isBetween(2, 13);
        assertThat(attempts.contents().documents()).isEmpty();
    }

    @Test
    void what_all_threads_send_is_counted_for_the_deletion() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        CosmosProvider metered = fixture.provider(CosmosProvider.builder()
                .reconciler(false)
                .clock(attempts.clock())
                .meterRegistry(meters));
        WideTree.create(fixture, metered, "root", 60);
        emulator.requests().clear();

        metered.asManagementCapability().orElseThrow().deleteInstance("root", true);

        // Plans of queries are no data: how often threads that begin together ask for the same one is chance.
        double charged = fixture.dataRequests().stream()
                .mapToDouble(LoggedRequest::requestCharge)
                .sum();
        assertThat(meters.get("sluice.provider.operation.charge")
                        .tag("operation", "deleteInstance")
                        .summary()
                        .totalAmount())
                .isCloseTo(charged, withinPercentage(0.01));
    }

    @Test
    void a_deletion_works_on_32_members_at_a_time_at_most() {
        WideTree tree = WideTree.create(fixture, deleter, "root", 200);
        emulator.faults().delay(StoreFixture::isBatch, 0, Duration.ofMillis(30));
        emulator.requests().clear();

        assertThat(attempts.run(tree, AT_ONCE)).isInstanceOf(DeletionOutcome.Deleted.class);

        // A renewal of the deletion may come beside them, and an answer counts until the emulator has logged it.
        assertThat(mostAtOnce(fixture.dataRequests())).isBetween(AT_ONCE * 3 / 4, AT_ONCE * 9 / 8);
    }

    @Test
    void the_member_with_the_decision_goes_when_all_others_are_gone() throws Exception {
        WideTree tree = WideTree.create(fixture, deleter, "root", 20);
        String slow = tree.child(7);
        emulator.requests().clear();
        try (HeldRequest removal = HeldRequest.of(
                emulator, request -> batch(request).contains("delete:") && slow.equals(instance(request)))) {
            CompletableFuture<DeletionOutcome> attempt =
                    CompletableFuture.supplyAsync(() -> attempts.run(tree, AT_ONCE));
            removal.awaitHeld();
            await().until(() -> attempts.heads(tree).size() == 2);

            assertThat(emulator.requests().matching(request -> isPatchOfHead("root", request)))
                    .as("its lock alone, no removal")
                    .hasSize(1);

            removal.letGo();
            assertThat(attempt.get(60, TimeUnit.SECONDS)).isInstanceOf(DeletionOutcome.Deleted.class);
        }
        assertThat(attempts.contents().documents()).isEmpty();
    }

    /** How many requests were at the emulator at one moment. */
    private static int mostAtOnce(List<LoggedRequest> requests) {
        int most = 0;
        for (LoggedRequest one : requests) {
            Instant moment = one.at();
            long there = requests.stream()
                    .filter(other -> !other.at().isAfter(moment)
                            && other.at().plus(other.took()).isAfter(moment))
                    .count();
            most = Math.max(most, (int) there);
        }
        return most;
    }
}
