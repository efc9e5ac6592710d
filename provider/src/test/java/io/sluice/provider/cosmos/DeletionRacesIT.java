package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.beginInstance;
import static io.sluice.provider.cosmos.StoreFixture.event;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.started;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.DeleteInstanceResult;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.InstanceStarts;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ProviderException;
import io.sluice.provider.PruneOptions;
import io.sluice.provider.TurnAck;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Deletions that crash, are helped, and race: the traces of the protocol's model against the real code. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Order(1)
class DeletionRacesIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private static final long PAST_ANY_DEADLINE = Duration.ofMinutes(10).toMillis();
    private static final int MOST_REQUESTS = 60;
    /** In the first tier a process dies after every second request, and the answers to the others are lost. */
    private static final int STEP = Tier.times(2, 1);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong ahead = new AtomicLong();
    private CosmosEmulator emulator;
    private CosmosProvider deleter;
    private CosmosProvider other;
    private ProviderAdmin othersAdmin;
    private CosmosStore store;
    private StoreContents contents;
    private StoreSweep sweep;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        deleter = fixture.provider();
        // Sees deadlines as passed once told to.
        InstantSource shifted = () -> InstantSource.system().instant().plusMillis(ahead.get());
        other = fixture.provider(CosmosProvider.builder().reconciler(false).clock(shifted));
        othersAdmin = other.asManagementCapability().orElseThrow();
        store = fixture.store();
        sweep = new StoreSweep(store, shifted);
        contents = new StoreContents(store);
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    @Test
    @Covers("wire 14")
    void a_crash_after_any_request_leaves_the_tree_whole_or_gone_whoever_meets_it() {
        int crashes = 0;
        for (int n = 0; n < MOST_REQUESTS; n += STEP) {
            String root = "root-" + n;
            family(root);
            if (!crashesAfter(n, root)) {
                assertGone(root);
                break;
            }
            crashes++;
            ahead.set(PAST_ANY_DEADLINE);
            meet(root, n);
            assertWholeOrGone(root);
            assertUsable(root);
            ahead.set(0);
        }
        assertThat(crashes).as("requests of a deletion").isBetween(12 / STEP, MOST_REQUESTS / STEP);
    }

    @Test
    void a_lost_answer_to_any_request_still_ends_in_a_deletion_or_in_nothing_and_a_retry() {
        for (int n = 1; n < MOST_REQUESTS; n += STEP) {
            String root = "root-" + n;
            family(root);
            FaultRule lost =
                    emulator.faults().loseAnswer(request -> request.operation().isData(), n);
            try {
                assertThat(delete(deleter, root).instancesDeleted()).isLessThanOrEqualTo(2);
                assertGone(root);
            } catch (ProviderException e) {
                assertThat(e.retryable())
                        .as("lost answer %d: %s", n, e.getMessage())
                        .isTrue();
                emulator.faults().clear();
                ahead.set(PAST_ANY_DEADLINE);
                meet(root, n);
                assertWholeOrGone(root);
                assertUsable(root);
                ahead.set(0);
            }
            emulator.faults().clear();
            if (lost.hits() == 0) {
                return;
            }
        }
        throw new AssertionError("a deletion takes more requests than expected");
    }

    @Test
    void who_reads_gone_finds_nothing_left_and_may_begin_anew_at_once() {
        family("root");
        crashAfterCommit("root");

        assertThatThrownBy(() -> othersAdmin.getInstanceInfo("root-child")).hasMessageContaining("not found");
        assertThat(contents.documentsOf("root-child")).isEmpty();
        begin(other, "root-child");
        assertThat(other.read("root")).isEmpty();
        assertThat(contents.documentsOf("root")).isEmpty();

        assertThat(sweep.finishDeletions()).isZero();
        assertThat(other.read("root-child")).containsExactly(started("root-child"));
    }

    @Test
    void reads_of_every_kind_carry_a_committed_deletion_out_first() {
        List<Callable<?>> reads = List.of(
                () -> other.read("root-child"),
                () -> other.readWithExecution("root-child", 1),
                () -> other.getKvAllValues("root-child"),
                () -> other.getInstanceStats("root-child").stream().toList(),
                () -> other.getCustomStatus("root-child", 0).stream().toList(),
                () -> othersAdmin.listExecutions("root-child"),
                () -> othersAdmin.listInstances().stream()
                        .filter("root-child"::equals)
                        .toList(),
                () -> othersAdmin.listChildren("root"));
        for (Callable<?> read : reads) {
            family("root");
            crashAfterCommit("root");

            assertThat(call(read)).isIn(List.of(), java.util.Map.of());

            assertThat(contents.documentsOf("root-child")).isEmpty();
            sweep.finishDeletions();
            assertGone("root");
        }
    }

    @Test
    void a_dispatcher_that_meets_a_committed_deletion_carries_it_out_and_takes_nothing() {
        family("root");
        crashAfterCommit("root");
        other.enqueueForOrchestrator(raised("root-child", "late"), null);

        assertThat(other.fetchOrchestrationItem(LOCK, NO_WAIT, null)).isEmpty();

        assertThat(contents.documentsOf("root-child")).isEmpty();
    }

    @Test
    void executions_of_an_instance_are_pruned_though_a_deletion_was_left_behind_there() {
        family("root");
        assertThat(crashesWhen(DeletionRacesIT::isCommit, "root")).isTrue();
        ahead.set(PAST_ANY_DEADLINE);

        assertThat(othersAdmin
                        .pruneExecutions("root", PruneOptions.ALL_FINISHED)
                        .instancesProcessed())
                .isEqualTo(1);
    }

    @Test
    void a_lock_is_far_from_lapsing_so_that_no_dispatcher_takes_a_member_for_free() {
        family("root");
        assertThat(crashesWhen(DeletionRacesIT::isCommit, "root")).isTrue();

        assertThat(contents.ofType("root-child", "instance")).singleElement().satisfies(head -> {
            assertThat(head.path("lockedUntil").asLong()).isEqualTo(InstanceDocument.LOCKED_FAR);
            assertThat(head.path("lockToken").asText()).startsWith("deletion:");
        });
        other.enqueueForOrchestrator(raised("root-child", "a"), null);
        assertThat(other.fetchOrchestrationItem(LOCK, NO_WAIT, null))
                .as("undecided and not overdue")
                .isEmpty();
        assertThat(other.read("root-child")).as("it still exists").isNotEmpty();
    }

    @Test
    void a_dispatcher_that_gives_an_overdue_deletion_up_acks_its_turn_and_the_deleter_begins_again() throws Exception {
        family("root");
        FaultRule slow = emulator.faults().delay(DeletionRacesIT::isCommit, 1, Duration.ofSeconds(2));
        Future<DeleteInstanceResult> deleting = threads.submit(() -> delete(deleter, "root"));
        await().until(() -> slow.hits() == 1);

        ahead.set(PAST_ANY_DEADLINE);
        LockedTurn turn = takeTurn(other);
        assertThat(turn.item().instance()).isEqualTo("root-child");
        other.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                .withHistory(List.of(event("root-child", 2, new EventKind.ExternalEvent("e", "{}")))));

        DeleteInstanceResult result = deleting.get(60, TimeUnit.SECONDS);
        assertThat(result.eventsDeleted())
                .as("the turn was committed before the deletion, and counted by its second attempt")
                .isEqualTo(3);
        assertGone("root");
    }

    @Test
    void a_helper_that_comes_late_touches_nothing_of_the_next_life() throws Exception {
        family("root");
        crashAfterCommit("root");
        FaultRule slow = emulator.faults().delay(removal("root-child"), 1, Duration.ofSeconds(2));
        Future<?> late = threads.submit(() -> other.read("root-child"));
        await().until(() -> slow.hits() == 1);

        CosmosProvider third = fixture.provider();
        assertThat(third.read("root-child")).isEmpty();
        begin(third, "root-child");
        third.enqueueForOrchestrator(raised("root-child", "new"), null);
        late.get(60, TimeUnit.SECONDS);

        assertThat(third.read("root-child")).containsExactly(started("root-child"));
        assertThat(takeTurn(third).item().messages()).containsExactly(raised("root-child", "new"));
    }

    @Test
    void a_head_that_was_made_to_be_locked_goes_with_the_deletion_that_was_given_up() {
        deleter.enqueueForOrchestrator(raised("order-1", "early"), null);
        assertThat(crashesWhen(DeletionRacesIT::isCommit, () -> deleterDeletes("order-1")))
                .isTrue();
        assertThat(contents.ofType("order-1", "instance")).hasSize(1);

        ahead.set(PAST_ANY_DEADLINE);
        sweep.finishDeletions();

        assertThat(contents.ofType("order-1", "instance")).isEmpty();
        assertThat(other.starts().startInstance(InstanceStart.of((WorkItem.StartOrchestration) start("order-1"))))
                .isInstanceOf(InstanceStarts.Started.class);
        assertThat(takeTurn(other).item().messages())
                .containsExactlyInAnyOrder(raised("order-1", "early"), start("order-1"));
    }

    @Test
    void a_started_instance_has_not_begun_when_the_deletion_of_it_was_given_up() {
        deleter.starts().startInstance(InstanceStart.of((WorkItem.StartOrchestration) start("order-1")));
        assertThat(crashesWhen(DeletionRacesIT::isCommit, () -> deleterDeletes("order-1")))
                .isTrue();

        ahead.set(PAST_ANY_DEADLINE);
        sweep.finishDeletions();

        assertThat(othersAdmin.listInstances()).as("no turn was acked").isEmpty();
        assertThat(takeTurn(other).item().messages()).containsExactly(start("order-1"));
    }

    @Test
    void helpers_that_race_remove_everything_once() throws Exception {
        for (int round = 0; round < Tier.times(2, 5); round++) {
            String root = "root-" + round;
            family(root);
            for (int i = 0; i < 120; i++) {
                deleter.enqueueForOrchestrator(raised(root + "-child", "m" + i), null);
            }
            crashAfterCommit(root);
            List<Future<?>> helpers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                CosmosProvider helper = i % 2 == 0 ? other : deleter;
                String met = i < 2 ? root : root + "-child";
                helpers.add(threads.submit(() -> assertThat(helper.read(met)).isEmpty()));
            }
            for (Future<?> helper : helpers) {
                helper.get(60, TimeUnit.SECONDS);
            }
            assertGone(root);
        }
    }

    @Test
    void of_two_deletions_of_one_tree_both_end_and_the_tree_is_gone() throws Exception {
        for (int round = 0; round < Tier.times(2, 5); round++) {
            String root = "root-" + round;
            family(root);
            List<Future<Long>> both = new ArrayList<>();
            for (CosmosProvider provider : List.of(deleter, other)) {
                both.add(threads.submit(() -> {
                    try {
                        return delete(provider, root).instancesDeleted();
                    } catch (ProviderException e) {
                        assertThat(e).hasMessageContaining("not found");
                        return 0L;
                    }
                }));
            }
            long deleted = 0;
            for (Future<Long> one : both) {
                deleted += one.get(60, TimeUnit.SECONDS);
            }
            assertThat(deleted).isEqualTo(2);
            assertGone(root);
        }
    }

    @Test
    void a_start_in_the_hands_of_a_relay_starts_no_child_of_a_deleted_parent() {
        leaveKidToRelay();
        IntentOutbox relay = new IntentOutbox(store.container(), InstantSource.system());
        Intent read = relay.undelivered("parent").get(0);

        delete(deleter, "parent");

        assertThat(relay.deliver(read)).isInstanceOf(DeliveryOutcome.Refused.class);
        assertThat(contents.documents()).isEmpty();
    }

    @Test
    void a_start_delivered_while_its_parent_is_being_deleted_brings_the_child_into_the_tree() {
        leaveKidToRelay();
        IntentOutbox relay = new IntentOutbox(store.container(), InstantSource.system());
        // Delivered, and the relay crashed before it removed the intent.
        assertThat(relay.deliver(relay.undelivered("parent").get(0))).isInstanceOf(DeliveryOutcome.Delivered.class);

        assertThat(delete(deleter, "parent").queueMessagesDeleted()).isEqualTo(1);

        assertThat(contents.documents()).isEmpty();
    }

    @Test
    void a_start_delivered_at_any_request_of_its_parents_deletion_leaves_no_child_behind() {
        CosmosProvider leaving = leaving();
        IntentOutbox relay = new IntentOutbox(store.container(), InstantSource.system());
        boolean happened = true;
        for (int n = 1; happened; n++) {
            String parent = "parent-" + n;
            parentOf(leaving, parent, "kid-" + n);
            Runnable delivery = () -> relay.undelivered(parent).forEach(intent -> {
                if (relay.deliver(intent) instanceof DeliveryOutcome.Delivered) {
                    relay.remove(parent, List.of(intent));
                }
            });
            try (var window =
                    NthRequest.doing(emulator, request -> request.operation().isData(), n, delivery)) {
                delete(deleter, parent);
                happened = window.happened();
            }

            assertThat(contents.documents()).as("delivered at request %d", n).isEmpty();
            assertThat(n).isLessThan(MOST_REQUESTS);
        }
    }

    private CosmosProvider leaving() {
        return fixture.provider(CosmosProvider.builder().reconciler(false).immediateDelivery(false));
    }

    /** One turn of a parent whose events do not tell of the child that it starts. */
    private void leaveKidToRelay() {
        CosmosProvider leaving = leaving();
        leaving.enqueueForOrchestrator(start("parent"), null);
        leaving.ackOrchestrationItem(firstAck(takeTurn(leaving))
                .withOrchestratorItems(
                        List.of(new WorkItem.StartOrchestration("kid", "Child", "{}", null, "parent", 2L, null, 1))));
    }

    /** One turn of a parent that starts a child and leaves its start to the relay. */
    private static void parentOf(CosmosProvider leaving, String parent, String child) {
        leaving.enqueueForOrchestrator(start(parent), null);
        leaving.ackOrchestrationItem(firstAck(takeTurn(leaving))
                .withHistory(List.of(
                        started(parent),
                        event(parent, 2, new EventKind.SubOrchestrationScheduled("Child", child, "{}"))))
                .withOrchestratorItems(
                        List.of(new WorkItem.StartOrchestration(child, "Child", "{}", null, parent, 2L, null, 1))));
    }

    /** A root with a child, each with an event and a message. */
    private void family(String root) {
        begin(deleter, root);
        String child = root + "-child";
        deleter.enqueueForOrchestrator(start(child), null);
        deleter.ackOrchestrationItem(firstAck(takeTurn(deleter))
                .withMetadata(ExecutionMetadata.NONE
                        .withOrchestration("Order", "1.0.0")
                        .withParent(root)));
        deleter.enqueueForOrchestrator(raised(child, "waits"), null);
    }

    private static void begin(CosmosProvider provider, String instance) {
        beginInstance(provider, instance);
    }

    private static DeleteInstanceResult delete(CosmosProvider provider, String root) {
        return provider.asManagementCapability().orElseThrow().deleteInstance(root, true);
    }

    /** The deleter's process ends after its n-th request; false when it needed no more. */
    private boolean crashesAfter(int n, String root) {
        AtomicInteger seen = new AtomicInteger();
        return crashesWhen(request -> seen.incrementAndGet() > n, root);
    }

    /** The deleter's process ends before the first request that matches. */
    private boolean crashesWhen(Predicate<LoggedRequest> last, String root) {
        return crashesWhen(last, () -> delete(deleter, root));
    }

    private boolean crashesWhen(Predicate<LoggedRequest> last, Runnable deletion) {
        AtomicInteger dead = new AtomicInteger();
        FaultRule crash = emulator.faults()
                .refuse(
                        request -> request.operation().isData()
                                && (dead.get() > 0 || (last.test(request) && dead.incrementAndGet() > 0)),
                        0,
                        400,
                        0);
        try {
            deletion.run();
        } catch (ProviderException e) {
            assertThat(crash.hits()).as("%s", e).isPositive();
        } finally {
            emulator.faults().clear();
        }
        return crash.hits() > 0;
    }

    private void deleterDeletes(String instance) {
        deleter.asManagementCapability().orElseThrow().deleteInstancesAtomic(List.of(instance), true);
    }

    private void crashAfterCommit(String root) {
        AtomicInteger committed = new AtomicInteger();
        assertThat(crashesWhen(
                        request -> isCommit(request) ? committed.incrementAndGet() > 1 : committed.get() > 0, root))
                .isTrue();
    }

    /** What may come upon a deletion that was left behind. */
    private void meet(String root, int n) {
        switch (n % 3) {
            case 0 -> othersAdmin.listInstances();
            case 1 -> {
                other.read(root + "-child");
                other.read(root);
            }
            default -> {
                other.enqueueForOrchestrator(raised(root, "nudge"), null);
                other.fetchOrchestrationItem(Duration.ofMillis(1), NO_WAIT, null)
                        .ifPresent(turn -> other.abandonOrchestrationItem(turn.lockToken(), null, true));
                other.fetchOrchestrationItem(Duration.ofMillis(1), NO_WAIT, null)
                        .ifPresent(turn -> other.abandonOrchestrationItem(turn.lockToken(), null, true));
                othersAdmin.listInstances();
            }
        }
    }

    private void assertWholeOrGone(String root) {
        boolean rootThere = !contents.ofType(root, "instance").isEmpty();
        boolean childThere = !contents.ofType(root + "-child", "instance").isEmpty();
        assertThat(childThere).as("all or none of %s", root).isEqualTo(rootThere);
        assertThat(other.read(root)).hasSize(rootThere ? 1 : 0);
        assertThat(other.read(root + "-child")).hasSize(rootThere ? 1 : 0);
        if (!rootThere) {
            assertThat(contents.ofType(root, "history")).isEmpty();
            assertThat(contents.documentsOf(root + "-child")).isEmpty();
        }
    }

    /** Both can be worked with, be it in their old life or in a new one; then they are deleted permanently. */
    private void assertUsable(String root) {
        for (String instance : List.of(root, root + "-child")) {
            other.enqueueForOrchestrator(start(instance), null);
            LockedTurn turn = other.fetchOrchestrationItem(LOCK, Duration.ofSeconds(30), null)
                    .orElseThrow(() -> new AssertionError(instance + " can't be fetched"));
            while (!turn.item().instance().equals(instance)) {
                other.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
                turn = takeTurn(other);
            }
            other.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)
                    .withHistory(List.of(event(instance, 50, new EventKind.ExternalEvent("e", "{}")))));
        }
        othersAdmin.deleteInstancesAtomic(List.of(root, root + "-child"), true);
        // A document that was created before anything was locked is met by nobody but the sweep.
        sweep.finishDeletions();
        assertGone(root);
    }

    private void assertGone(String root) {
        assertThat(contents.documentsOf(root + "-child")).isEmpty();
        assertThat(contents.documentsOf(root))
                .filteredOn(document -> !isFence(document))
                .isEmpty();
    }

    /**
     * Who met a deletion's token when its document was gone already says that there will be none; that expires by
     * itself.
     */
    private static boolean isFence(ObjectNode document) {
        return document.path("state").asText().equals("aborted") && document.has("ttl");
    }

    private static Object call(Callable<?> read) {
        try {
            return read.call();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isCommit(LoggedRequest request) {
        return batch(request).startsWith("replace:deletion:");
    }

    private static Predicate<LoggedRequest> removal(String member) {
        return request -> batch(request).contains("delete:" + member + ":instance");
    }

    private static String batch(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH ? request.body().toLowerCase(Locale.ROOT) : "";
    }
}
