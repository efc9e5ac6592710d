package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.assertLockLost;
import static io.sluice.provider.cosmos.StoreFixture.completed;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ProviderException;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The windows in which other writers of the store lose or repeat activities: each is provoked, and does no harm here.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ActivityDeviationsIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private static final int ENOUGH = 40;

    private final AtomicLong ahead = new AtomicLong();
    private CosmosStore store;
    private CosmosProvider provider;
    private CosmosProvider other;
    private CosmosEmulator emulator;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        store = fixture.store();
        provider = CosmosProvider.builder().reconciler(false).store(store).build();
        other = fixture.providerAhead(ahead);
    }

    @Covers({"wire 10", "wire 25"})
    @ParameterizedTest
    @EnumSource(CrashPoint.LastRequest.class)
    void a_completion_for_another_instance_is_there_exactly_when_the_item_is_gone(CrashPoint.LastRequest last) {
        boolean died = true;
        for (int n = 0; died; n++) {
            String instance = "order-" + n;
            String waiting = "waiting-" + n;
            provider.enqueueForWorker(activity(instance, 2));
            CosmosProvider worker = fixture.provider();
            LockedWorkItem work = takeActivity(worker);

            died = CrashPoint.dies(
                    emulator, n, last, () -> worker.ackWorkItem(work.lockToken(), completed(waiting, 2)));

            int items = fixture.documents(store, instance, "worker_queue").size();
            int completions =
                    fixture.documents(store, instance, "outbox_intent").size()
                            + fixture.documents(store, waiting, "orch_queue").size();
            assertThat(items + completions).as("died after request %d", n).isEqualTo(1);
            assertThat(n).isLessThan(ENOUGH);
            removeAll(instance, "worker_queue");
        }
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource({"order-2, 1, 2", "order-1, 2, 2", "order-1, 1, 3"})
    void an_ack_that_names_another_activity_than_the_lock_is_on_writes_nothing(
            String instance, long execution, long id) {
        provider.enqueueForWorker(activity("order-1", 2));
        LockedWorkItem work = takeActivity(other);
        // Found by its token, as by a process that has not locked it.
        ScheduledActivityIdentifier wrong = new ScheduledActivityIdentifier(instance, execution, id);
        var completion = new WorkItem.ActivityCompleted(instance, execution, id, "done");

        assertThatThrownBy(() -> provider.ackWorkItem(work.lockToken(), wrong, completion))
                .isInstanceOf(ProviderException.class)
                .hasMessageContaining("the lock is not on activity " + id + " of execution " + execution)
                .satisfies(refused ->
                        assertThat(((ProviderException) refused).retryable()).isFalse());
        assertThat(fixture.documents(store, instance, "orch_queue")).isEmpty();
        assertThat(fixture.documents(store, "order-1", "outbox_intent")).isEmpty();

        provider.ackWorkItem(
                work.lockToken(), new ScheduledActivityIdentifier("order-1", 1, 2), completed("order-1", 2));
        assertThat(fixture.documents(store, "order-1", "worker_queue")).isEmpty();
        assertThat(fixture.documents(store, "order-1", "orch_queue")).hasSize(1);
    }

    @Covers("wire 26")
    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {0, 1, 408, 410, 429, 449, 503})
    void an_ack_without_completion_succeeds_only_when_the_item_is_gone(int status) {
        provider.enqueueForWorker(activity("order-1", 2));
        LockedWorkItem work = takeActivity(provider);
        FaultRule fault = fault(status);

        provider.ackWorkItem(work.lockToken(), null);

        assertThat(fault.hits()).isEqualTo(1);
        assertThat(fixture.documents(store, "order-1", "worker_queue")).isEmpty();
    }

    @Test
    @Covers("wire 26")
    void an_item_that_vanished_or_cannot_be_deleted_is_no_success() {
        provider.enqueueForWorker(activity("order-1", 2));
        LockedWorkItem vanished = takeActivity(provider);
        removeAll("order-1", "worker_queue");
        provider.enqueueForWorker(activity("order-1", 3));
        LockedWorkItem kept = takeActivity(provider);

        assertLockLost(() -> provider.ackWorkItem(vanished.lockToken(), null));
        FaultRule forbidden = emulator.faults().refuse(StoreFixture::isBatch, 0, 400, 0);
        assertThatThrownBy(() -> provider.ackWorkItem(kept.lockToken(), null)).isInstanceOf(ProviderException.class);
        forbidden.remove();

        assertThat(fixture.documents(store, "order-1", "worker_queue")).hasSize(1);
        provider.ackWorkItem(kept.lockToken(), null);
    }

    @Test
    @Covers("wire 31")
    void an_activity_that_cannot_be_decoded_stands_in_nobodys_way() {
        provider.enqueueForWorker(activity("order-1", 2));
        ObjectNode corrupt =
                fixture.documents(store, "order-1", "worker_queue").get(0).deepCopy();
        corrupt.put("id", "corrupt").put("workItem", "{").put("enqueuedAt", 1);
        store.container().createItem(corrupt).block();

        assertThat(takeActivity(provider).item()).isEqualTo(activity("order-1", 2));
        assertThat(provider.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.any())).isEmpty();
    }

    @Covers("wire 34")
    @ParameterizedTest
    @EnumSource(CrashPoint.LastRequest.class)
    void an_item_is_locked_exactly_when_its_session_is_claimed(CrashPoint.LastRequest last) {
        boolean died = true;
        for (int n = 0; died; n++) {
            String instance = "order-" + n;
            provider.enqueueForWorker(inSession(instance, 2));
            CosmosProvider worker = fixture.provider();

            died = CrashPoint.dies(
                    emulator, n, last, () -> assertThat(fetch(worker, "me")).isPresent());

            boolean locked = fixture.documents(store, instance, "worker_queue")
                    .get(0)
                    .path("lockToken")
                    .isTextual();
            boolean claimed = !fixture.documents(store, instance, "session").isEmpty();
            assertThat(claimed).as("died after request %d", n).isEqualTo(locked);
            assertThat(n).isLessThan(ENOUGH);
            removeAll(instance, "worker_queue");
        }
    }

    @Test
    @Covers("wire 35")
    void an_item_whose_session_another_worker_claims_meanwhile_is_left_as_it_was() {
        provider.enqueueForWorker(inSession("order-1", 2));
        provider.enqueueForWorker(inSession("order-1", 3));
        AtomicReference<@Nullable LockedWorkItem> faster = new AtomicReference<>();
        try (var meanwhile = NthRequest.doing(
                emulator,
                StoreFixture::isBatch,
                1,
                () -> faster.set(fetch(other, "you").orElseThrow()))) {
            assertThat(fetch(provider, "me")).isEmpty();
            assertThat(meanwhile.happened()).isTrue();
        }

        LockedWorkItem theirs = Objects.requireNonNull(faster.get());
        assertThat(theirs.item()).isEqualTo(inSession("order-1", 2));
        LockedWorkItem next = fetch(other, "you").orElseThrow();
        assertThat(next.item()).isEqualTo(inSession("order-1", 3));
        assertThat(next.attemptCount()).as("never locked and put back").isEqualTo(1);
        other.ackWorkItem(theirs.lockToken(), null);
        other.ackWorkItem(next.lockToken(), null);
    }

    @Covers({"wire 36", "wire 36a"})
    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {0, 1, 408, 410, 429, 449, 503})
    void renewing_and_abandoning_ride_out_what_passes(int status) {
        provider.enqueueForWorker(activity("order-1", 2));
        LockedWorkItem work = takeActivity(provider);

        FaultRule renewal = fault(status);
        provider.renewWorkItemLock(work.lockToken(), LOCK);
        FaultRule abandoning = fault(status);
        provider.abandonWorkItem(work.lockToken(), null, true);

        assertThat(renewal.hits() + abandoning.hits()).isEqualTo(2);
        assertThat(takeActivity(other).attemptCount())
                .as("free at once, and not counted")
                .isEqualTo(1);
    }

    @Test
    @Covers("wire 48")
    void what_nobody_holds_cannot_be_given_back() {
        assertLockLost(() -> provider.abandonWorkItem("no-such-token", null, false));
        assertLockLost(() -> provider.abandonWorkItem("no-such-token", Duration.ofSeconds(1), true));
    }

    @Test
    void a_lock_that_lapses_at_any_request_of_an_activitys_ack_goes_to_one() {
        boolean reached = true;
        for (int n = 1; reached; n++) {
            String instance = "order-" + n;
            ahead.set(0);
            provider.enqueueForWorker(activity(instance, 2));
            LockedWorkItem mine = takeActivity(provider);
            AtomicReference<@Nullable LockedWorkItem> stolen = new AtomicReference<>();
            Runnable theft = () -> {
                ahead.set(LOCK.toMillis() + 1);
                stolen.set(other.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.any())
                        .orElse(null));
            };
            int wins;
            try (var window =
                    NthRequest.doing(emulator, request -> request.operation().isData(), n, theft)) {
                wins = acks(provider, mine, instance);
                reached = window.happened();
            }
            LockedWorkItem theirs = stolen.get();
            if (theirs != null) {
                other.renewWorkItemLock(theirs.lockToken(), LOCK);
                wins += acks(other, theirs, instance);
            }

            assertThat(wins).as("stolen at request %d", n).isEqualTo(1);
            assertThat(fixture.documents(store, instance, "orch_queue")).hasSize(1);
            assertThat(fixture.documents(store, instance, "worker_queue")).isEmpty();
            assertThat(n).isLessThan(ENOUGH);
        }
    }

    @Test
    void its_own_renewal_at_any_request_costs_an_activitys_ack_nothing() {
        boolean reached = true;
        for (int n = 1; reached; n++) {
            String instance = "order-" + n;
            provider.enqueueForWorker(activity(instance, 2));
            LockedWorkItem mine = takeActivity(provider);
            CosmosProvider elsewhere = fixture.provider();
            try (var window = NthRequest.doing(
                    emulator,
                    request -> request.operation().isData(),
                    n,
                    () -> elsewhere.renewWorkItemLock(mine.lockToken(), LOCK))) {
                assertThat(acks(provider, mine, instance))
                        .as("renewed at request %d", n)
                        .isEqualTo(1);
                reached = window.happened();
            }
            assertThat(n).isLessThan(ENOUGH);
        }
    }

    private static int acks(CosmosProvider worker, LockedWorkItem work, String instance) {
        try {
            worker.ackWorkItem(work.lockToken(), completed(instance, 2));
            return 1;
        } catch (ProviderException e) {
            assertThat(e).hasMessageContaining("Invalid lock token");
            assertThat(e.retryable()).isFalse();
            return 0;
        }
    }

    private static Optional<LockedWorkItem> fetch(CosmosProvider worker, String owner) {
        return worker.fetchWorkItem(LOCK, NO_WAIT, new SessionFetchConfig(owner, LOCK), TagFilter.any());
    }

    /** 0 loses the answer, 1 drops the request, anything else refuses it; the next batch only. */
    private FaultRule fault(int status) {
        return switch (status) {
            case 0 -> emulator.faults().loseAnswer(StoreFixture::isBatch, 1);
            case 1 -> emulator.faults().dropConnection(StoreFixture::isBatch, 1);
            default -> emulator.faults().refuse(StoreFixture::isBatch, 1, status, 0);
        };
    }

    private void removeAll(String instance, String type) {
        List<ObjectNode> documents = fixture.documents(store, instance, type);
        documents.forEach(document -> store.container()
                .deleteItem(document.get("id").asText(), new PartitionKey(instance))
                .block());
    }

    private static WorkItem inSession(String instance, long id) {
        return new WorkItem.ActivityExecute(instance, 1, id, "charge", "{}", "session", null);
    }
}
