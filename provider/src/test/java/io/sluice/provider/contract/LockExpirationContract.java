package io.sluice.provider.contract;

import static io.sluice.provider.contract.ContractItems.activity;
import static io.sluice.provider.contract.ContractItems.started;
import static io.sluice.provider.contract.ProviderSteps.LONG;
import static io.sluice.provider.contract.ProviderSteps.META;
import static io.sluice.provider.contract.ProviderSteps.ackOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Locks end when they said they would, by expiry, abandon or ack, and live on by renewal. */
public abstract class LockExpirationContract extends ProviderContract {
    /** Runs the category on stores from there. */
    protected LockExpirationContract(ContractStores stores) {
        super(stores);
    }

    @Covers("spec/003 race 3")
    @Test
    void test_lock_expires_after_timeout() {
        steps.start("x");
        LockedTurn first = steps.fetchForLockTimeout();
        steps.fetchNothing();

        passLockTimeout();
        LockedTurn second = steps.fetch();

        assertThat(second.lockToken()).isNotEqualTo(first.lockToken());
        ProviderSteps.failureOf(() -> steps.ack(first, started("x")));
    }

    @Test
    void test_abandon_releases_lock_immediately() {
        steps.start("x");
        LockedTurn first = steps.fetchForLockTimeout();
        steps.fetchNothing();

        steps.abandon(first);

        steps.fetch();
    }

    @Test
    void test_lock_renewal_on_ack() {
        steps.start("x");
        LockedTurn first = steps.fetchForLockTimeout();
        steps.start("x");
        steps.fetchNothing();

        steps.ack(first, started("x"));

        assertThat(steps.fetch().item().messages()).as("the second message").hasSize(1);
    }

    @Test
    void test_concurrent_lock_attempts_respect_expiration() throws Exception {
        steps.start("x");
        steps.fetchForLockTimeout();

        List<Optional<LockedTurn>> turns = Racers.race(5, i -> i * 50L, () -> steps.tryFetch(lockTimeout(), null));

        assertThat(turns).as("fetches while the lock lives").allMatch(Optional::isEmpty);
        passLockTimeout();
        steps.fetch();
    }

    @Test
    void test_worker_lock_renewal_success() {
        steps.act("x", 1);
        LockedWorkItem work = steps.fetchWork(lockTimeout());
        steps.fetchNoWork();
        steps.passMillis(100);

        provider().renewWorkItemLock(work.lockToken(), lockTimeout());

        steps.fetchNoWork();
    }

    @Test
    void test_worker_lock_renewal_invalid_token() {
        ProviderSteps.failureOf(() -> provider().renewWorkItemLock("invalid-token-123", LONG));
    }

    @Test
    void test_worker_lock_renewal_after_expiration() {
        steps.act("x", 1);
        LockedWorkItem work = steps.fetchWork(Duration.ofSeconds(1));

        passLockTimeout();

        ProviderSteps.failureOf(() -> provider().renewWorkItemLock(work.lockToken(), LONG));
    }

    @Test
    void test_worker_lock_renewal_extends_timeout() {
        steps.start("x");
        steps.ack(ackOf(steps.fetch(), started("x")).withMetadata(META).withWorkerItems(List.of(activity("x", 2))));
        LockedWorkItem work = steps.fetchWork(lockTimeout());
        steps.passMillis(lockTimeout().toMillis() * 6 / 10);

        provider().renewWorkItemLock(work.lockToken(), lockTimeout());
        steps.passMillis(lockTimeout().toMillis() * 4 / 10);

        steps.fetchNoWork();
    }

    @Test
    void test_worker_lock_renewal_after_ack() {
        steps.act("x", 1);
        LockedWorkItem work = steps.fetchWork();
        steps.done(work);

        ProviderSteps.failureOf(() -> provider().renewWorkItemLock(work.lockToken(), LONG));
    }

    @Test
    void test_abandon_work_item_releases_lock() {
        steps.act("x", 1);
        LockedWorkItem first = steps.fetchWork(lockTimeout());
        steps.fetchNoWork();

        steps.abandon(first);

        assertThat(steps.fetchWork().lockToken()).isNotEqualTo(first.lockToken());
    }

    @Test
    void test_abandon_work_item_with_delay() {
        steps.act("x", 1);
        LockedWorkItem work = steps.fetchWork(lockTimeout());

        provider().abandonWorkItem(work.lockToken(), Duration.ofMillis(500), false);

        steps.fetchNoWork();
        steps.passMillis(600);
        steps.fetchWork();
    }

    @Test
    void test_worker_ack_fails_after_lock_expiry() {
        steps.act("x", 1);
        LockedWorkItem work = steps.fetchWork(Duration.ofSeconds(1));
        steps.passMillis(1_200);

        ProviderSteps.failureOf(() -> steps.done(work));

        steps.fetchWork();
    }

    @Test
    void test_orchestration_lock_renewal_after_expiration() {
        steps.start("x");
        LockedTurn turn = steps.fetchForLockTimeout();

        passLockTimeout();

        ProviderSteps.failureOf(() -> provider().renewOrchestrationItemLock(turn.lockToken(), LONG));
    }
}
