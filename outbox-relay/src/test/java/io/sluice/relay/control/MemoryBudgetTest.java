package io.sluice.relay.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MemoryBudgetTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long BYTES = 100;

    private final MemoryBudget budget = new MemoryBudget(BYTES);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private MemoryBudget.Reservation reserved(long bytes) throws InterruptedException {
        return budget.reserve(bytes, () -> {});
    }

    /** Reserves elsewhere, and says so in the list. */
    private Future<MemoryBudget.Reservation> asks(long bytes, String name, List<String> order) throws Exception {
        var waits = new CountDownLatch(1);
        var asked = threads.submit(() -> {
            var held = budget.reserve(bytes, waits::countDown);
            order.add(name);
            return held;
        });
        waits.await();
        return asked;
    }

    @Test
    void what_is_larger_than_the_budget_has_it_alone() throws Exception {
        var order = new CopyOnWriteArrayList<String>();
        var large = reserved(10 * BYTES);
        var small = asks(1, "small", order);

        assertThat(budget.freeBytes()).isZero();
        large.close();
        small.get().close();

        assertThat(order).containsExactly("small");
        assertThat(budget.freeBytes()).isEqualTo(BYTES);
    }

    @Test
    void a_large_one_is_not_passed_over_by_small_ones() throws Exception {
        var order = new CopyOnWriteArrayList<String>();
        var first = reserved(60);
        var large = asks(95, "large", order);
        var small = asks(10, "small", order);

        first.close();
        large.get().close();
        small.get().close();

        assertThat(order).startsWith("large");
    }

    @Test
    void what_is_given_back_early_serves_the_next() throws Exception {
        var order = new CopyOnWriteArrayList<String>();
        var first = reserved(BYTES);
        var next = asks(70, "next", order);

        first.shrinkTo(30);
        next.get().close();

        assertThat(budget.freeBytes()).isEqualTo(70);
        first.shrinkTo(BYTES);
        assertThat(budget.freeBytes()).as("it can't grow").isEqualTo(70);
        first.close();
        first.close();
        assertThat(budget.freeBytes()).isEqualTo(BYTES);
    }

    @Test
    void a_reservation_grows_only_at_once_and_not_past_those_that_wait() throws Exception {
        var order = new CopyOnWriteArrayList<String>();
        var first = reserved(30);

        boolean hasGrown = first.tryGrowTo(60);
        boolean hasGrownTooFar = first.tryGrowTo(BYTES + 1) && first.tryGrowTo(BYTES);
        first.shrinkTo(60);
        var other = reserved(20);
        boolean hasGrownBeyondWhatIsLeft = first.tryGrowTo(81);
        var next = asks(50, "next", order);
        boolean hasGrownPastOneThatWaits = first.tryGrowTo(61);

        assertThat(hasGrown).isTrue();
        assertThat(hasGrownTooFar).as("all of it is enough").isTrue();
        assertThat(hasGrownBeyondWhatIsLeft).isFalse();
        assertThat(hasGrownPastOneThatWaits).isFalse();
        first.close();
        next.get().close();
        other.close();
        assertThat(budget.freeBytes()).isEqualTo(BYTES);
    }

    @Test
    void one_that_is_interrupted_while_it_waits_holds_nobody_up() throws Exception {
        var order = new CopyOnWriteArrayList<String>();
        var first = reserved(60);
        var large = asks(80, "large", order);
        var small = asks(10, "small", order);

        large.cancel(true);
        small.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).close();
        first.close();

        await().atMost(PATIENCE).until(() -> budget.freeBytes() == BYTES);
        assertThat(order).containsExactly("small");
    }

    @Test
    void many_at_once_never_hold_more_than_the_budget() {
        var held = new AtomicLong();
        var peak = new AtomicLong();
        var all = new ArrayList<CompletableFuture<Void>>();
        for (int i = 0; i < 200; i++) {
            long bytes = 1L + i % 40;
            all.add(CompletableFuture.runAsync(
                    () -> budget.holding(bytes, () -> {
                        peak.accumulateAndGet(held.addAndGet(bytes), Math::max);
                        return held.addAndGet(-bytes);
                    }),
                    threads));
        }

        CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0])).join();

        assertThat(peak).hasValueLessThanOrEqualTo(BYTES);
        assertThat(budget.freeBytes()).isEqualTo(BYTES);
    }
}
