package io.sluice.provider.contract;

import static io.sluice.provider.contract.ContractItems.completion;
import static io.sluice.provider.contract.ContractItems.start;
import static io.sluice.provider.contract.ProviderSteps.LONG;
import static io.sluice.provider.contract.ProviderSteps.META;
import static io.sluice.provider.contract.ProviderSteps.ackOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TurnAck;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One holder per instance, and the holder sees what was there at its fetch. */
public abstract class InstanceLockingContract extends ProviderContract {
    /** Runs the category on stores from there. */
    protected InstanceLockingContract(ContractStores stores) {
        super(stores);
    }

    @Covers("spec/003 failure 1")
    @Test
    void test_exclusive_instance_lock() {
        steps.start("x");
        LockedTurn first = steps.fetchForLockTimeout();
        steps.fetchNothing();

        passLockTimeout();

        assertThat(steps.fetch().lockToken()).isNotEqualTo(first.lockToken());
    }

    @Test
    void test_lock_token_uniqueness() {
        for (int i = 0; i < 5; i++) {
            steps.start("instance-" + i);
        }

        Set<String> tokens = new HashSet<>();
        for (int i = 0; i < 5; i++) {
            tokens.add(steps.fetch().lockToken());
        }

        assertThat(tokens).hasSize(5);
    }

    @Test
    void test_invalid_lock_token_rejection() {
        steps.start("x");
        steps.fetch();

        ProviderSteps.failureOf(() -> steps.ack(TurnAck.of("invalid-token", 1)));
        ProviderSteps.failureOf(() -> provider().abandonOrchestrationItem("invalid-token", null, false));

        steps.fetchNothing();
    }

    @Test
    void test_concurrent_instance_fetching() throws Exception {
        for (int i = 0; i < 10; i++) {
            steps.start("instance-" + i);
        }

        List<Optional<LockedTurn>> turns = Racers.race(10, i -> i * 30L, () -> steps.tryFetch(LONG, null));

        assertThat(turns)
                .allMatch(Optional::isPresent)
                .extracting(turn -> turn.orElseThrow().item().instance())
                .doesNotHaveDuplicates();
    }

    @Covers("spec/003 race 4")
    @Test
    void test_completions_arriving_during_lock_blocked() {
        steps.start("x");
        steps.fetchForLockTimeout();
        for (long id = 1; id <= 3; id++) {
            steps.enqueue(completion("x", id));
        }
        steps.fetchNothing();

        passLockTimeout();

        assertThat(steps.fetch().item().messages())
                .containsExactly(start("x"), completion("x", 1), completion("x", 2), completion("x", 3));
    }

    @Test
    void test_cross_instance_lock_isolation() {
        steps.create("A");
        steps.create("B");
        steps.start("A");
        steps.start("B");
        steps.fetchOf("A");
        LockedTurn b = steps.fetchOf("B");

        steps.ack(ackOf(b).withMetadata(META));
        steps.enqueue(completion("B", 1));

        steps.fetchOf("B");
    }

    @Covers("spec/003 race 2")
    @Test
    void test_message_tagging_during_lock() {
        steps.create("A");
        steps.enqueue(completion("A", 1));
        steps.enqueue(completion("A", 2));
        LockedTurn first = steps.fetch();
        assertThat(first.item().messages()).hasSize(2);

        steps.enqueue(completion("A", 3));
        steps.ack(first);

        assertThat(steps.fetch().item().messages())
                .as("only what arrived after the fetch is left")
                .containsExactly(completion("A", 3));
    }

    @Test
    void test_ack_only_affects_locked_messages() {
        steps.create("A");
        steps.enqueue(completion("A", 1));
        LockedTurn first = steps.fetch();
        assertThat(first.item().messages()).hasSize(1);
        steps.enqueue(completion("A", 2));
        steps.enqueue(completion("A", 3));
        steps.fetchNothing();

        steps.ack(first);

        assertThat(steps.fetch().item().messages()).containsExactly(completion("A", 2), completion("A", 3));
    }

    @Covers("spec/003 race 1")
    @Test
    void test_multi_threaded_lock_contention() throws Exception {
        steps.start("x");

        List<Optional<LockedTurn>> turns = Racers.race(10, i -> i * 5L, () -> steps.tryFetch(LONG, null));

        assertThat(turns)
                .filteredOn(Optional::isPresent)
                .as("holders of one lock")
                .hasSize(1);
        steps.fetchNothing();
    }

    @Covers("spec/003 failure 3")
    @Test
    void test_multi_threaded_no_duplicate_processing() throws Exception {
        for (int i = 0; i < 20; i++) {
            steps.start("instance-" + i);
        }

        List<Optional<LockedTurn>> turns = Racers.race(40, i -> 3L * i % 50, this::fetchWithRetries);

        assertThat(turns)
                .filteredOn(Optional::isPresent)
                .extracting(turn -> turn.orElseThrow().item().instance())
                .hasSizeLessThanOrEqualTo(20)
                .doesNotHaveDuplicates();
    }

    private Optional<LockedTurn> fetchWithRetries() {
        return await().pollInterval(Duration.ofMillis(10))
                .ignoreExceptionsMatching(e -> e instanceof ProviderException failure && failure.retryable())
                .until(() -> steps.tryFetch(LONG, null), turn -> true);
    }

    @Test
    void test_multi_threaded_lock_expiration_recovery() throws Exception {
        steps.start("x");
        CyclicBarrier together = new CyclicBarrier(3);
        CountDownLatch fetched = new CountDownLatch(1);
        CountDownLatch refused = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            Future<Optional<LockedTurn>> holder = threads.submit(after(together, null, Duration.ZERO, fetched));
            Future<Optional<LockedTurn>> early =
                    threads.submit(after(together, fetched, Duration.ofMillis(200), refused));
            Future<Optional<LockedTurn>> late =
                    threads.submit(after(together, refused, lockTimeout().minusMillis(100), new CountDownLatch(1)));

            assertThat(holder.get()).as("first fetch").isPresent();
            assertThat(early.get()).as("while the lock lives").isEmpty();
            assertThat(late.get()).as("after it has lapsed").isPresent();
        } finally {
            threads.shutdownNow();
        }
    }

    private Callable<Optional<LockedTurn>> after(
            CyclicBarrier together, @Nullable CountDownLatch turn, Duration pause, CountDownLatch next) {
        return () -> {
            together.await();
            if (turn != null) {
                turn.await();
            }
            if (!pause.isZero()) {
                steps.pass(pause);
            }
            Optional<LockedTurn> fetched = steps.tryFetch(lockTimeout(), null);
            next.countDown();
            return fetched;
        };
    }
}
