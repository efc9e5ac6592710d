package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.beginInstance;
import static io.sluice.provider.cosmos.StoreFixture.fetchTurn;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.isBatch;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.started;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.TurnAck;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** However long a fetch takes, the lock of the turn that it returns lives: long enough to be renewed. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SlowFetchIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private static final Duration LOCK = Duration.ofSeconds(5);
    private static final Duration SHORT_LOCK = Duration.ofSeconds(3);
    private static final Duration LONGER = Duration.ofSeconds(4);

    private CosmosEmulator emulator;
    private SteppedClock clock;
    private CosmosProvider provider;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        clock = new SteppedClock(fixture.store().clock());
        provider = process();
    }

    private CosmosProvider process() {
        return fixture.provider(CosmosProvider.builder().reconciler(false).clock(clock));
    }

    @Test
    void of_a_backlog_that_takes_longer_than_the_lock_the_oldest_are_handed_out() {
        beginInstance(provider, "order-1");
        List<WorkItem> signals = signals(600);
        signals.forEach(signal -> provider.enqueueForOrchestrator(signal, null));
        CosmosProvider cold = process();

        List<WorkItem> handedOut = new ArrayList<>();
        for (int turns = 0; handedOut.size() < signals.size(); turns++) {
            assertThat(turns).as("every turn brings it on").isLessThan(signals.size() / 99);
            LockedTurn turn = Objects.requireNonNull(slowly(cold), "nothing could be locked");
            handedOut.addAll(turn.item().messages());

            assertThat(turn.attemptCount()).as("for the first time").isEqualTo(1);
            cold.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
        }

        assertThat(handedOut).as("all, once, in order").isEqualTo(signals);
        assertThat(fetchTurn(cold)).isNull();
    }

    @Test
    void a_store_that_takes_no_more_tags_fails_no_fetch() {
        beginInstance(provider, "order-1");
        List<WorkItem> signals = signals(150);
        signals.forEach(signal -> provider.enqueueForOrchestrator(signal, null));
        FaultRule first = emulator.faults().delay(StoreFixture::isBatch, 1, Duration.ZERO);
        FaultRule busy = emulator.faults().refuse(request -> isBatch(request) && first.hits() > 0, 0, 429, 3200);

        LockedTurn turn = provider.fetchOrchestrationItem(Duration.ofSeconds(4), NO_WAIT, null)
                .orElseThrow();
        busy.remove();
        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
        LockedTurn rest = takeTurn(provider);

        assertThat(busy.hits()).isPositive();
        assertThat(turn.item().messages()).isEqualTo(signals.subList(0, 99));
        assertThat(rest.item().messages()).isEqualTo(signals.subList(99, 150));
        assertThat(rest.attemptCount()).isEqualTo(1);
    }

    @Test
    void messages_that_could_not_be_tagged_are_not_overtaken_by_younger_ones() {
        beginInstance(provider, "order-1");
        List<WorkItem> signals = signals(220);
        signals.forEach(signal -> provider.enqueueForOrchestrator(signal, null));
        AtomicInteger batches = new AtomicInteger();
        FaultRule second =
                emulator.faults().refuse(request -> isBatch(request) && batches.incrementAndGet() == 2, 1, 400, 0);

        LockedTurn turn = takeTurn(provider);

        assertThat(second.hits()).isEqualTo(1);
        assertThat(turn.item().messages()).isEqualTo(signals.subList(0, 99));
        provider.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
        assertThat(takeTurn(provider).item().messages()).isEqualTo(signals.subList(99, 220));
    }

    @Test
    void an_instance_that_never_ran_gets_its_start_with_the_oldest_wherever_it_stands() {
        List<WorkItem> signals = signals(400);
        signals.forEach(signal -> provider.enqueueForOrchestrator(signal, null));
        provider.enqueueForOrchestrator(start("order-1"), null);

        LockedTurn turn = Objects.requireNonNull(slowly(process()));

        int others = turn.item().messages().size() - 1;
        assertThat(others).isBetween(98, 300);
        assertThat(turn.item().messages().subList(0, others)).isEqualTo(signals.subList(0, others));
        assertThat(turn.item().messages().get(others)).isEqualTo(start("order-1"));
        assertThat(turn.item().orchestrationName()).isEqualTo("Order");
    }

    @Test
    void a_history_that_takes_longer_than_the_lock_comes_with_a_lock_that_lives() {
        cold("order-1");
        CosmosProvider cold = process();
        FaultRule slow = emulator.faults().delay(SlowFetchIT::readsHistory, 1, LONGER);

        LockedTurn turn = cold.fetchOrchestrationItem(SHORT_LOCK, NO_WAIT, null).orElseThrow();

        assertThat(slow.hits()).isEqualTo(1);
        assertThat(turn.item().history()).containsExactly(started("order-1"));
        cold.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
        assertThat(fetchTurn(provider)).as("acked").isNull();
    }

    @Test
    void a_lock_that_was_lost_while_the_history_came_is_handed_to_nobody() {
        cold("order-1");
        CosmosProvider cold = process();
        CosmosProvider other = process();
        emulator.faults().delay(SlowFetchIT::readsHistory, 1, LONGER);
        AtomicReference<@Nullable LockedTurn> stolen = new AtomicReference<>();
        Runnable theft = () -> {
            clock.step(Duration.ofMinutes(1));
            stolen.set(takeTurn(other));
        };
        // The first batch locks, the second would renew.
        try (var window = NthRequest.doing(emulator, StoreFixture::isBatch, 2, theft)) {
            assertThat(cold.fetchOrchestrationItem(SHORT_LOCK, NO_WAIT, null)).isEmpty();
            assertThat(window.happened()).isTrue();
        }

        LockedTurn turn = Objects.requireNonNull(stolen.get());
        other.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
        assertThat(turn.item().history()).containsExactly(started("order-1"));
    }

    @Test
    void a_lock_that_lapsed_while_the_history_came_has_had_an_attempt() {
        cold("order-1");
        CosmosProvider cold = process();
        // Longer than the lock at one go, as a machine that slept.
        Runnable lapse = () -> clock.step(Duration.ofMinutes(1));
        try (var window = NthRequest.doing(emulator, SlowFetchIT::readsHistory, 1, lapse)) {
            assertThat(cold.fetchOrchestrationItem(SHORT_LOCK, NO_WAIT, null)).isEmpty();
            assertThat(window.happened()).isTrue();
        }

        assertThat(takeTurn(process()).attemptCount()).isEqualTo(2);
    }

    @Test
    void a_lock_that_lapsed_just_before_the_history_came_is_handed_to_nobody() {
        cold("order-1");
        CosmosProvider cold = process();
        long before = batches();
        Runnable slowly = () -> clock.step(LOCK.dividedBy(2).plusMillis(1));
        // After the renewal, the lock is not looked at again until the history is there.
        Runnable lapse = () -> {
            await().until(() -> batches() == before + 2);
            clock.step(LOCK.plusMillis(1));
        };
        try (var locking = NthRequest.doing(emulator, StoreFixture::isBatch, 1, slowly);
                var window = NthRequest.doing(emulator, SlowFetchIT::readsHistory, 1, lapse)) {
            assertThat(cold.fetchOrchestrationItem(LOCK, NO_WAIT, null)).isEmpty();
            assertThat(locking.happened() && window.happened()).isTrue();
        }
    }

    @Test
    void a_lock_that_lapsed_hides_its_instance_no_longer_than_it_would_have_lived() {
        cold("order-1");
        CosmosProvider cold = process();
        emulator.faults().delay(SlowFetchIT::readsHistory, 1, LONGER);
        try (var window =
                NthRequest.doing(emulator, StoreFixture::isBatch, 1, () -> clock.step(Duration.ofMinutes(1)))) {
            assertThat(cold.fetchOrchestrationItem(SHORT_LOCK, NO_WAIT, null)).isEmpty();
            assertThat(window.happened()).isTrue();
        }

        clock.step(SHORT_LOCK);

        assertThat(cold.fetchOrchestrationItem(LOCK, NO_WAIT, null)).isPresent();
    }

    @Test
    void a_lock_that_the_store_made_wait_begins_when_it_is_taken() {
        provider.enqueueForOrchestrator(start("order-1"), null);
        FaultRule busy = emulator.faults().refuse(StoreFixture::isBatch, 1, 429, 3200);
        Runnable later = () -> clock.step(Duration.ofMinutes(1));

        Optional<LockedTurn> turn;
        try (var window = NthRequest.doing(emulator, StoreFixture::isBatch, 1, later)) {
            turn = provider.fetchOrchestrationItem(LOCK, NO_WAIT, null);
            assertThat(window.happened()).isTrue();
        }

        assertThat(busy.hits()).isEqualTo(1);
        provider.ackOrchestrationItem(firstAck(turn.orElseThrow()));
    }

    /** Fetches while every batch takes two seconds, by the clock that locks go by. */
    private @Nullable LockedTurn slowly(CosmosProvider process) {
        FaultRule slow = emulator.faults()
                .refuse(
                        request -> {
                            if (isBatch(request)) {
                                clock.step(Duration.ofSeconds(2));
                            }
                            return false;
                        },
                        0,
                        500,
                        0);
        try {
            return process.fetchOrchestrationItem(LOCK, NO_WAIT, null).orElse(null);
        } finally {
            slow.remove();
        }
    }

    /** An instance that has a history, and something to do. */
    private void cold(String instance) {
        beginInstance(provider, instance);
        provider.enqueueForOrchestrator(raised(instance, "x"), null);
    }

    private static List<WorkItem> signals(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> raised("order-1", "signal " + i))
                .toList();
    }

    private long batches() {
        return emulator.requests().matching(StoreFixture::isBatch).count();
    }

    private static boolean readsHistory(LoggedRequest request) {
        return request.operation() == RequestKind.QUERY && request.body().contains("'history'");
    }
}
