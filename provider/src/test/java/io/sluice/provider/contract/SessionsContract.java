package io.sluice.provider.contract;

import static io.sluice.provider.contract.ContractItems.activity;
import static io.sluice.provider.contract.ContractItems.activityOf;
import static io.sluice.provider.contract.ContractItems.sessionActivity;
import static io.sluice.provider.contract.ProviderSteps.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A session belongs to one owner at a time: who holds it gets its activities, and loses them when its lock lapses. */
public abstract class SessionsContract extends ProviderContract {
    /** Runs the category on stores from there. */
    protected SessionsContract(ContractStores stores) {
        super(stores);
    }

    private static final Duration ITEM_LOCK = Duration.ofSeconds(5);
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration IDLE = Duration.ofMinutes(5);

    private static final SessionFetchConfig A = owner("A", LONG);
    private static final SessionFetchConfig B = owner("B", LONG);

    @Test
    void test_non_session_items_fetchable_by_any_worker() {
        steps.act(activity("x", 1));

        take(A, 1);
    }

    @Test
    void test_session_item_claimable_when_no_session() {
        steps.act(sessionActivity("x", 1, "s"));

        assertThat(activityOf(take(A, 1)).sessionId()).isEqualTo("s");
    }

    @Test
    void test_session_affinity_same_worker() {
        claimed(A);
        steps.act(sessionActivity("x", 2, "s"));

        take(A, 2);
    }

    @Test
    void test_session_affinity_blocks_other_worker() {
        claimed(A);
        steps.act(sessionActivity("x", 2, "s"));

        nothingFor(B);
    }

    @Test
    void test_different_sessions_different_workers() {
        steps.act(sessionActivity("inst-1", 1, "session-1"));
        steps.drop(take(A, 1));
        steps.act(sessionActivity("inst-2", 2, "session-2"));
        steps.drop(take(B, 2));

        steps.act(sessionActivity("inst-1", 3, "session-1"), sessionActivity("inst-2", 4, "session-2"));

        take(A, 3);
        take(B, 4);
    }

    @Test
    void test_mixed_session_and_non_session_items() {
        claimed(A);
        steps.act(sessionActivity("x", 2, "s"), activity("x", 3));

        take(B, 3);
    }

    @Test
    void test_session_claimable_after_lock_expiry() {
        claimed(owner("A", SHORT));
        steps.passMillis(100);
        steps.act(sessionActivity("x", 2, "s"));

        take(B, 2);
    }

    @Test
    void test_none_session_skips_session_items() {
        steps.act(sessionActivity("x", 1, "s"), activity("x", 2));

        steps.drop(take(null, 2));

        nothingFor(null);
        take(A, 1);
    }

    @Test
    void test_some_session_returns_all_items() {
        steps.act(
                sessionActivity("inst-1", 1, "A"),
                sessionActivity("inst-2", 2, "B"),
                sessionActivity("inst-3", 3, "C"),
                activity("inst-1", 4));

        assertThat(steps.drain(ITEM_LOCK, A, TagFilter.defaultOnly())).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void test_renew_session_lock_active() {
        claimed(owner("A", Duration.ofSeconds(5)));
        assertThat(renew("A", LONG, IDLE)).isEqualTo(1);

        steps.act(sessionActivity("y", 2, "other"));
        steps.drop(take(A, 2));

        assertThat(renew("A", LONG, IDLE)).isEqualTo(2);
    }

    @Test
    void test_renew_session_lock_skips_idle() {
        claimed(A);

        assertThat(renew("A", LONG, Duration.ZERO)).isZero();
    }

    @Test
    void test_renew_session_lock_no_sessions() {
        assertThat(renew("A", LONG, IDLE)).isZero();
    }

    @Test
    void test_cleanup_removes_expired_no_items() {
        claimed(owner("A", SHORT));
        steps.passMillis(100);

        assertThat(provider().cleanupOrphanedSessions(IDLE)).isEqualTo(1);
    }

    @Test
    void test_cleanup_keeps_sessions_with_pending_items() {
        claimed(owner("A", SHORT));
        steps.passMillis(100);
        steps.act(sessionActivity("x", 2, "s"));

        assertThat(provider().cleanupOrphanedSessions(IDLE)).isZero();
    }

    @Test
    void test_cleanup_keeps_active_sessions() {
        claimed(owner("A", IDLE));
        steps.passMillis(100);

        assertThat(provider().cleanupOrphanedSessions(IDLE)).isZero();
    }

    @Test
    void test_ack_updates_session_last_activity() {
        steps.act(sessionActivity("x", 1, "s"));
        LockedWorkItem work = take(A, 1);
        steps.passMillis(250);

        steps.done(work);

        assertThat(renew("A", LONG, Duration.ofMillis(200))).isEqualTo(1);
    }

    @Test
    void test_renew_work_item_updates_session_last_activity() {
        steps.act(sessionActivity("x", 1, "s"));
        LockedWorkItem work = take(A, 1);
        steps.passMillis(250);

        provider().renewWorkItemLock(work.lockToken(), LONG);

        assertThat(renew("A", LONG, Duration.ofMillis(200))).isEqualTo(1);
    }

    @Test
    void test_session_items_processed_in_order() {
        steps.act(sessionActivity("x", 1, "s"), sessionActivity("x", 2, "s"), sessionActivity("x", 3, "s"));

        assertThat(steps.drain(ITEM_LOCK, A, TagFilter.defaultOnly())).containsExactly(1L, 2L, 3L);
    }

    @Test
    void test_non_session_items_returned_with_session_config() {
        claimed(A);
        steps.act(activity("x", 2));

        take(A, 2);
    }

    @Test
    void test_shared_worker_id_any_caller_can_fetch_owned_session() {
        steps.act(sessionActivity("x", 1, "s"), sessionActivity("x", 2, "s"));
        steps.drop(take(owner("process-1", LONG), 1));
        steps.drop(take(owner("process-1", LONG), 2));

        steps.act(sessionActivity("x", 3, "s"));

        nothingFor(owner("process-2", LONG));
    }

    @Test
    void test_concurrent_session_claim_only_one_wins() {
        steps.act(sessionActivity("x", 1, "s"), sessionActivity("x", 2, "s"));
        LockedWorkItem work = take(A, 1);

        nothingFor(B);

        steps.drop(work);
    }

    @Test
    void test_session_takeover_after_lock_expiry() {
        claimed(owner("A", SHORT));
        steps.act(sessionActivity("x", 2, "s"));
        steps.passMillis(100);

        take(B, 2);
    }

    @Test
    void test_cleanup_then_new_item_recreates_session() {
        claimed(owner("A", SHORT));
        steps.passMillis(100);
        assertThat(provider().cleanupOrphanedSessions(IDLE)).isEqualTo(1);

        steps.act(sessionActivity("x", 2, "s"));

        take(B, 2);
    }

    @Test
    void test_abandoned_session_item_retryable() {
        steps.act(sessionActivity("x", 1, "s"));
        LockedWorkItem first = take(A, 1);
        assertThat(first.attemptCount()).isEqualTo(1);
        steps.abandon(first);

        LockedWorkItem second = take(A, 1);

        assertThat(second.attemptCount()).isEqualTo(2);
        steps.drop(second);
        nothingFor(A);
    }

    @Test
    void test_abandoned_session_item_ignore_attempt() {
        steps.act(sessionActivity("x", 1, "s"));
        LockedWorkItem first = take(A, 1);
        assertThat(first.attemptCount()).isEqualTo(1);
        provider().abandonWorkItem(first.lockToken(), Duration.ofMillis(1), true);
        steps.passMillis(10);

        LockedWorkItem second = take(A, 1);

        assertThat(second.attemptCount()).isEqualTo(1);
        steps.drop(second);
    }

    @Test
    void test_renew_session_lock_after_expiry_returns_zero() {
        claimed(owner("A", SHORT));
        steps.passMillis(100);

        assertThat(renew("A", LONG, IDLE)).isZero();
    }

    @Test
    void test_original_worker_reclaims_expired_session() {
        claimed(owner("A", SHORT));
        steps.act(sessionActivity("x", 2, "s"));
        steps.passMillis(100);

        take(A, 2);
    }

    @Test
    void test_activity_lock_expires_session_lock_valid_same_worker_refetches() {
        steps.act(sessionActivity("x", 1, "s"));
        take(Duration.ofMillis(500), A, 1);
        steps.passMillis(600);

        nothingFor(B);

        assertThat(take(A, 1).attemptCount()).isEqualTo(2);
    }

    @Test
    void test_session_lock_expires_new_owner_gets_redelivery() {
        steps.act(sessionActivity("x", 1, "s"));
        LockedWorkItem held = take(owner("A", Duration.ofMillis(200)), 1);
        steps.passMillis(300);
        steps.act(sessionActivity("x", 2, "s"));

        steps.drop(take(B, 2));
        steps.abandon(held);
        LockedWorkItem again = take(B, 1);

        assertThat(again.attemptCount()).isEqualTo(2);
        steps.drop(again);
    }

    @Test
    void test_session_lock_expires_same_worker_reacquires() {
        SessionFetchConfig brief = owner("A", Duration.ofMillis(200));
        claimed(brief);
        steps.passMillis(300);
        steps.act(sessionActivity("x", 2, "s"));

        take(brief, 2);
    }

    @Test
    void test_both_locks_expire_different_worker_claims() {
        Duration brief = Duration.ofMillis(200);
        steps.act(sessionActivity("x", 1, "s"));
        take(brief, owner("A", brief), 1);
        steps.passMillis(400);

        assertThat(take(B, 1).attemptCount()).isEqualTo(2);
    }

    @Test
    void test_session_lock_expires_activity_lock_valid_ack_succeeds() {
        steps.act(sessionActivity("x", 1, "s"));
        LockedWorkItem work = take(LONG, owner("A", Duration.ofMillis(200)), 1);
        steps.passMillis(300);

        steps.done(work);

        nothingFor(A);
    }

    @Test
    void test_session_lock_renewal_extends_past_original_timeout() {
        claimed(owner("A", Duration.ofSeconds(1)));
        steps.passMillis(600);
        assertThat(renew("A", Duration.ofSeconds(1), IDLE)).isEqualTo(1);
        steps.passMillis(400);

        steps.act(sessionActivity("x", 2, "s"));

        nothingFor(B);
        take(A, 2);
    }

    /** Has the owner take and ack the first activity of session {@code s}. */
    private void claimed(SessionFetchConfig owner) {
        steps.act(sessionActivity("x", 1, "s"));
        steps.drop(take(owner, 1));
    }

    private LockedWorkItem take(@Nullable SessionFetchConfig owner, long id) {
        return take(ITEM_LOCK, owner, id);
    }

    private LockedWorkItem take(Duration lock, @Nullable SessionFetchConfig owner, long id) {
        LockedWorkItem work = steps.fetchWork(lock, owner, TagFilter.defaultOnly());
        assertThat(activityOf(work).id()).as("the activity for %s", owner).isEqualTo(id);
        return work;
    }

    private void nothingFor(@Nullable SessionFetchConfig owner) {
        assertThat(steps.tryWork(ITEM_LOCK, owner, TagFilter.defaultOnly()))
                .as("an activity for %s", owner)
                .isEmpty();
    }

    private int renew(String owner, Duration extendFor, Duration idle) {
        return provider().renewSessionLock(List.of(owner), extendFor, idle);
    }

    private static SessionFetchConfig owner(String id, Duration lock) {
        return new SessionFetchConfig(id, lock);
    }
}
