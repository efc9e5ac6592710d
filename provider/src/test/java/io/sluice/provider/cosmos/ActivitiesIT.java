package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.completed;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeActivity;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ProviderException;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ActivitiesIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private final AtomicLong ahead = new AtomicLong();
    private CosmosProvider provider;
    private CosmosEmulator emulator;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        provider = fixture.providerAhead(ahead);
    }

    @Test
    void activities_come_in_order_and_each_goes_to_one_worker() {
        List<WorkItem> scheduled = new ArrayList<>();
        for (long id = 2; id < 22; id++) {
            scheduled.add(activity("order-1", id));
        }
        provider.enqueueForOrchestrator(start("order-1"), null);
        provider.ackOrchestrationItem(firstAck(takeTurn(provider)).withWorkerItems(scheduled));

        List<WorkItem> fetched = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            fetched.add(takeActivity(provider).item());
        }

        assertThat(fetched).containsExactlyElementsOf(scheduled);
        assertThat(fetch(null, TagFilter.any())).isEmpty();
    }

    @Test
    void a_worker_whose_lock_lapsed_can_complete_nothing() {
        provider.enqueueForWorker(activity("order-1", 2));
        LockedWorkItem stale = takeActivity(provider);
        ahead.set(LOCK.toMillis() + 1);

        assertPermanent(() -> provider.ackWorkItem(stale.lockToken(), completed("order-1", 2)));
        assertPermanent(() -> provider.renewWorkItemLock(stale.lockToken(), LOCK));
        LockedWorkItem again = takeActivity(provider);

        assertThat(again.attemptCount()).isEqualTo(2);
        provider.ackWorkItem(again.lockToken(), null);
        assertPermanent(() -> provider.ackWorkItem(again.lockToken(), null));
        assertPermanent(() -> provider.abandonWorkItem("no such token", null, false));
    }

    @Test
    void an_abandoned_activity_comes_back_after_its_delay_and_may_keep_its_attempts() {
        provider.enqueueForWorker(activity("order-1", 2));
        LockedWorkItem first = takeActivity(provider);

        provider.abandonWorkItem(first.lockToken(), Duration.ofMinutes(1), true);
        Optional<LockedWorkItem> tooEarly = fetch(null, TagFilter.any());
        ahead.set(60_001);
        LockedWorkItem again = takeActivity(provider);

        assertThat(tooEarly).isEmpty();
        assertThat(again.attemptCount()).isEqualTo(1);
    }

    @Test
    void an_ack_whose_answer_was_lost_completes_once() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        provider.ackOrchestrationItem(firstAck(takeTurn(provider)).withWorkerItems(List.of(activity("order-1", 2))));
        LockedWorkItem work = takeActivity(provider);
        FaultRule lost = emulator.faults().loseAnswer(request -> request.operation() == RequestKind.BATCH, 1);

        provider.ackWorkItem(work.lockToken(), completed("order-1", 2));

        assertThat(lost.hits()).isEqualTo(1);
        assertThat(takeTurn(provider).item().messages()).containsExactly(completed("order-1", 2));
        assertThat(fetchTurn(provider)).isNull();
    }

    @Covers("wire 36a")
    @Test
    void a_renewal_rides_out_what_passes_since_any_error_would_cancel_the_activity() {
        provider.enqueueForWorker(activity("order-1", 2));
        LockedWorkItem work = takeActivity(provider);

        for (int status : new int[] {408, 429, 449, 503}) {
            FaultRule rule =
                    emulator.faults().refuse(request -> request.operation() == RequestKind.BATCH, 1, status, 0);
            provider.renewWorkItemLock(work.lockToken(), LOCK);
            assertThat(rule.hits()).as("status %d", status).isEqualTo(1);
            rule.remove();
        }
        emulator.faults().loseAnswer(request -> request.operation() == RequestKind.BATCH, 1);
        provider.renewWorkItemLock(work.lockToken(), LOCK);

        provider.ackWorkItem(work.lockToken(), null);
    }

    @Test
    void a_lock_whose_answer_was_lost_is_found_and_used() {
        provider.enqueueForWorker(activity("order-1", 2));
        emulator.faults().loseAnswer(request -> request.operation() == RequestKind.BATCH, 1);

        LockedWorkItem work = takeActivity(provider);

        assertThat(work.attemptCount()).isEqualTo(1);
        provider.ackWorkItem(work.lockToken(), null);
    }

    @Test
    void tags_decide_who_gets_what() {
        provider.enqueueForWorker(tagged(1, null));
        provider.enqueueForWorker(tagged(2, "gpu"));
        provider.enqueueForWorker(tagged(3, "arm"));

        assertThat(fetch(null, TagFilter.none())).isEmpty();
        assertThat(ids(TagFilter.tags(Set.of("gpu", "x")))).containsExactly(2L);
        assertThat(ids(TagFilter.defaultOnly())).containsExactly(1L);
        assertThat(ids(TagFilter.defaultAnd(Set.of("arm")))).containsExactly(3L);
    }

    @Covers("wire 50")
    @Test
    void a_session_belongs_to_one_owner_until_its_claim_lapses() {
        provider.enqueueForWorker(inSession(1));
        provider.enqueueForWorker(inSession(2));
        provider.enqueueForWorker(activity("order-1", 3));
        var mine = new SessionFetchConfig("me", LOCK);
        var yours = new SessionFetchConfig("you", LOCK);

        Optional<LockedWorkItem> first = fetch(mine, TagFilter.any());
        Optional<LockedWorkItem> foreign = fetch(yours, TagFilter.any());

        assertThat(first).hasValueSatisfying(work -> assertThat(work.item()).isEqualTo(inSession(1)));
        assertThat(foreign)
                .as("an item of a foreign session hides nothing behind it")
                .hasValueSatisfying(work -> assertThat(work.item()).isEqualTo(activity("order-1", 3)));
        assertThat(fetch(yours, TagFilter.any())).isEmpty();
        assertThat(fetch(null, TagFilter.any())).isEmpty();
        assertThat(provider.renewSessionLock(List.of("me", "nobody"), LOCK, Duration.ofMinutes(5)))
                .isEqualTo(1);
        assertThat(provider.renewSessionLock(List.of("me"), LOCK, Duration.ZERO))
                .isZero();
        assertThat(provider.renewSessionLock(List.of(), LOCK, LOCK)).isZero();
        ahead.set(LOCK.toMillis() + 10_000);
        assertThat(fetch(yours, TagFilter.any())).isPresent();
    }

    @Test
    void what_is_refused_to_one_owner_is_at_once_the_sessions_owners_in_the_same_process() {
        var mine = new SessionFetchConfig("me", LOCK);
        var yours = new SessionFetchConfig("you", LOCK);
        provider.enqueueForWorker(inSession(1));
        assertThat(fetch(mine, TagFilter.any())).isPresent();
        provider.enqueueForWorker(inSession(2));
        provider.enqueueForWorker(inSession(3));

        assertThat(fetch(yours, TagFilter.any())).isEmpty();

        assertThat(fetch(mine, TagFilter.any()))
                .hasValueSatisfying(work -> assertThat(work.item()).isEqualTo(inSession(2)));
        assertThat(fetch(yours, TagFilter.any())).isEmpty();
        assertThat(fetch(mine, TagFilter.any()))
                .hasValueSatisfying(work -> assertThat(work.item()).isEqualTo(inSession(3)));
    }

    @Test
    void a_worker_at_work_keeps_its_session_from_looking_idle() {
        provider.enqueueForWorker(inSession(1));
        LockedWorkItem work =
                fetch(new SessionFetchConfig("me", LOCK), TagFilter.any()).orElseThrow();
        ahead.set(10_000);
        assertThat(provider.renewSessionLock(List.of("me"), LOCK, Duration.ofSeconds(5)))
                .isZero();

        provider.renewWorkItemLock(work.lockToken(), LOCK);

        assertThat(provider.renewSessionLock(List.of("me"), LOCK, Duration.ofSeconds(5)))
                .isEqualTo(1);
    }

    @Test
    void sessions_without_items_are_cleaned_up_once_they_lapse() {
        provider.enqueueForWorker(inSession(1));
        LockedWorkItem work =
                fetch(new SessionFetchConfig("me", LOCK), TagFilter.any()).orElseThrow();
        ahead.set(LOCK.toMillis() + 1);
        assertThat(provider.cleanupOrphanedSessions(Duration.ZERO))
                .as("an item still refers to it")
                .isZero();
        LockedWorkItem again =
                fetch(new SessionFetchConfig("me", LOCK), TagFilter.any()).orElseThrow();
        provider.ackWorkItem(again.lockToken(), null);
        ahead.set(3 * LOCK.toMillis());

        assertThat(provider.cleanupOrphanedSessions(Duration.ZERO)).isEqualTo(1);
        assertThat(work.attemptCount()).isEqualTo(1);
    }

    private List<Long> ids(TagFilter tags) {
        List<Long> ids = new ArrayList<>();
        Optional<LockedWorkItem> work = fetch(null, tags);
        while (work.isPresent()) {
            ids.add(((WorkItem.ActivityExecute) work.get().item()).id());
            work = fetch(null, tags);
        }
        return ids;
    }

    private Optional<LockedWorkItem> fetch(@Nullable SessionFetchConfig session, TagFilter tags) {
        return provider.fetchWorkItem(LOCK, NO_WAIT, session, tags);
    }

    private static WorkItem tagged(long id, @Nullable String tag) {
        return new WorkItem.ActivityExecute("order-1", 1, id, "charge", "{}", null, tag);
    }

    private static WorkItem inSession(long id) {
        return new WorkItem.ActivityExecute("order-1", 1, id, "charge", "{}", "gpu/1", null);
    }

    private static void assertPermanent(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse());
    }
}
