package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.LOCK;
import static io.sluice.provider.cosmos.StoreFixture.NO_WAIT;
import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.raised;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static io.sluice.provider.cosmos.StoreFixture.takeTurn;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.SemverRange;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What can't be taken hides nothing that can, and many who ask at once neither collide nor leave anything over. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Order(1)
class StarvationIT {
    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    @RegisterExtension
    final StoreFixture fixture = StoreFixture.on(account);

    private static final int REFUSED_BATCH = 207;
    /** Lapses on no machine while it looks. */
    private static final Duration LONG_LOCK = Duration.ofMinutes(10);
    /** More than one look takes. */
    private static final int MANY = 250;

    private static final int READY = Tier.times(400, 1_000);

    private CosmosEmulator emulator;
    private CosmosProvider provider;
    private CosmosProvider other;

    @BeforeEach
    void open() {
        emulator = account.requireEmulator();
        provider = fixture.provider();
        other = fixture.provider();
    }

    @Test
    void a_fetch_goes_on_behind_what_is_throttled() {
        provider.enqueueForOrchestrator(start("hot"), null);
        provider.enqueueForWorker(activity("hot", 2));
        provider.enqueueForOrchestrator(start("good"), null);
        provider.enqueueForWorker(activity("good", 2));
        FaultRule throttled = emulator.faults()
                .refuse(
                        request ->
                                request.operation() == RequestKind.BATCH && "[\"hot\"]".equals(request.partitionKey()),
                        0,
                        429,
                        3200);

        LockedTurn turn = takeTurn(provider);
        LockedWorkItem work =
                provider.fetchWorkItem(LOCK, NO_WAIT, null, TagFilter.any()).orElseThrow();

        throttled.remove();
        assertThat(turn.item().instance()).isEqualTo("good");
        assertThat(work.item().routedInstance()).isEqualTo("good");
    }

    @Test
    @Covers("spec/003 race 2")
    void a_locked_instance_with_hundreds_of_messages_hides_no_ready_one() throws Exception {
        provider.enqueueForOrchestrator(start("busy"), null);
        LockedTurn held = provider.fetchOrchestrationItem(Duration.ofMinutes(5), Duration.ofSeconds(30), null)
                .orElseThrow();
        concurrently(8, MANY, i -> provider.enqueueForOrchestrator(raised("busy", "e" + i), null));
        provider.enqueueForOrchestrator(start("ready"), null);
        emulator.requests().clear();

        Optional<LockedTurn> found = other.fetchOrchestrationItem(LOCK, NO_WAIT, null);

        assertThat(held.item().instance()).isEqualTo("busy");
        assertThat(found)
                .hasValueSatisfying(turn -> assertThat(turn.item().instance()).isEqualTo("ready"));
        assertThat(fixture.dataRequests())
                .as("two looks over four partitions, one into the busy instance, and a lock")
                .hasSizeLessThanOrEqualTo(2 * 4 + 6);
        assertThat(other.fetchOrchestrationItem(LOCK, NO_WAIT, null)).isEmpty();
    }

    @Test
    @Covers("wire 3")
    void a_hundred_incompatible_instances_hide_no_compatible_one_and_are_left_untouched() throws Exception {
        concurrently(4, 100, i -> {
            provider.enqueueForOrchestrator(start("old-" + i), null);
            pinned(takeTurn(provider), 1);
        });
        provider.enqueueForOrchestrator(start("new"), null);
        pinned(takeTurn(provider), 2);
        concurrently(4, 100, i -> provider.enqueueForOrchestrator(raised("old-" + i, "x"), null));
        provider.enqueueForOrchestrator(raised("new", "x"), null);
        emulator.requests().clear();
        var onlyNew = new DispatcherCapabilityFilter(
                List.of(new SemverRange(SemanticVersion.of(0, 2, 0), SemanticVersion.of(0, 3, 0))));

        Optional<LockedTurn> found = other.fetchOrchestrationItem(LOCK, NO_WAIT, onlyNew);

        assertThat(found)
                .hasValueSatisfying(turn -> assertThat(turn.item().instance()).isEqualTo("new"));
        assertThat(emulator.requests().matching(request -> request.operation() == RequestKind.BATCH))
                .as("no lock is taken on what can't be run")
                .hasSize(1);
        var any = other.fetchOrchestrationItem(LOCK, NO_WAIT, null);
        assertThat(any).hasValueSatisfying(turn -> {
            assertThat(turn.item().instance()).startsWith("old");
            assertThat(turn.attemptCount()).isEqualTo(1);
        });
    }

    @Test
    void five_hundred_signals_to_unknown_ids_hide_no_start_and_keep_no_fetch() throws Exception {
        concurrently(8, 500, i -> provider.enqueueForOrchestrator(raised("unknown-" + i, "early"), null));
        provider.enqueueForOrchestrator(start("ready"), null);
        var clock = new SteppedClock(InstantSource.system());
        clock.step(Duration.ofSeconds(1));
        clock.stop();
        CosmosProvider fresh =
                fixture.provider(CosmosProvider.builder().reconciler(false).clock(clock));
        // Looking at all of them takes ten times as long as the first of them is left alone.
        FaultRule slow = emulator.faults()
                .refuse(
                        request -> {
                            if (request.operation() == RequestKind.QUERY && request.partitionKey() != null) {
                                clock.step(Duration.ofMillis(10));
                            }
                            return false;
                        },
                        0,
                        500,
                        0);
        emulator.requests().clear();

        Optional<LockedTurn> ready = fresh.fetchOrchestrationItem(LONG_LOCK, NO_WAIT, null);
        int first = fixture.dataRequests().size();
        Optional<LockedTurn> nothing = fresh.fetchOrchestrationItem(LONG_LOCK, NO_WAIT, null);
        int second = fixture.dataRequests().size() - first;
        provider.enqueueForOrchestrator(start("next"), null);
        // On a busy machine more time has passed than was stepped, and the message would not be visible yet; nor where
        // its sender takes the service for a little ahead.
        clock.catchUp(InstantSource.system());
        clock.step(Duration.ofSeconds(1));
        Optional<LockedTurn> next = fresh.fetchOrchestrationItem(LONG_LOCK, NO_WAIT, null);
        slow.remove();

        assertThat(ready)
                .hasValueSatisfying(turn -> assertThat(turn.item().instance()).isEqualTo("ready"));
        assertThat(nothing).isEmpty();
        assertThat(next)
                .hasValueSatisfying(turn -> assertThat(turn.item().instance()).isEqualTo("next"));
        assertThat(first).as("two reads each, and the pages in between").isLessThan(2 * 500 + 40 * 4 + 10);
        assertThat(second).as("fewer when they are known").isLessThan(first / 2);
    }

    @Test
    void a_start_by_another_process_ends_the_wait_for_it_at_once() {
        var clock = new SteppedClock(InstantSource.system());
        CosmosProvider waiting =
                fixture.provider(CosmosProvider.builder().reconciler(false).clock(clock));
        provider.enqueueForOrchestrator(raised("early", "x"), null);
        clock.step(Duration.ofSeconds(1));
        for (int look = 0; look < 8; look++) {
            assertThat(waiting.fetchOrchestrationItem(LOCK, NO_WAIT, null)).isEmpty();
            clock.step(Duration.ofMinutes(1));
        }
        assertThat(waiting.fetchOrchestrationItem(LOCK, NO_WAIT, null)).isEmpty();
        emulator.requests().clear();
        assertThat(waiting.fetchOrchestrationItem(LOCK, NO_WAIT, null)).isEmpty();
        assertThat(fixture.dataRequests()).as("left alone").hasSize(4);

        other.enqueueForOrchestrator(start("early"), null);
        Optional<LockedTurn> turn = waiting.fetchOrchestrationItem(LOCK, NO_WAIT, null);

        assertThat(turn)
                .hasValueSatisfying(taken ->
                        assertThat(taken.item().messages()).containsExactly(raised("early", "x"), start("early")));
    }

    @Test
    @Covers("wire 50")
    void fifty_items_of_foreign_sessions_hide_no_free_one() {
        var mine = new SessionFetchConfig("me", LOCK);
        for (int i = 0; i < 5; i++) {
            provider.enqueueForWorker(inSession("mine-" + i, i));
            assertThat(provider.fetchWorkItem(LOCK, NO_WAIT, mine, TagFilter.any()))
                    .isPresent();
        }
        for (int i = 0; i < 50; i++) {
            provider.enqueueForWorker(inSession("mine-" + i % 5, 100 + i));
        }
        provider.enqueueForWorker(inSession("free", 200));
        provider.enqueueForWorker(activity("order-1", 201));
        var yours = new SessionFetchConfig("you", LOCK);

        Optional<LockedWorkItem> session = other.fetchWorkItem(LOCK, NO_WAIT, yours, TagFilter.any());
        Optional<LockedWorkItem> plain = other.fetchWorkItem(LOCK, NO_WAIT, yours, TagFilter.any());

        assertThat(session).hasValueSatisfying(work -> assertThat(work.item()).isEqualTo(inSession("free", 200)));
        assertThat(plain).hasValueSatisfying(work -> assertThat(work.item()).isEqualTo(activity("order-1", 201)));
        assertThat(other.fetchWorkItem(LOCK, NO_WAIT, yours, TagFilter.any())).isEmpty();
        assertThat(provider.fetchWorkItem(LOCK, NO_WAIT, mine, TagFilter.any()))
                .as("their owner still gets them")
                .isPresent();
    }

    @Test
    @Covers({"wire 4", "wire 5"})
    void fifty_dispatchers_take_hundreds_of_ready_instances_once_each_and_lose_few_races() throws Exception {
        concurrently(8, READY, i -> provider.enqueueForOrchestrator(start("order-" + i), null));
        Map<String, AtomicInteger> taken = new ConcurrentHashMap<>();
        emulator.requests().clear();
        List<Callable<Void>> dispatchers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            dispatchers.add(() -> {
                dispatchUntilEmpty(taken);
                return null;
            });
        }

        all(50, dispatchers);

        assertThat(taken).as("none is starved").hasSize(READY);
        assertThat(taken.values()).as("none is taken twice").allMatch(times -> times.get() == 1);
        long locks = emulator.requests().matching(StarvationIT::isLock).count();
        long lost = emulator.requests()
                .matching(request -> isLock(request) && request.status() == REFUSED_BATCH)
                .count();
        assertThat(locks).isGreaterThanOrEqualTo(READY);
        assertThat(lost).as("lost races of %d locks", locks).isLessThan(locks / 20);
    }

    private void dispatchUntilEmpty(Map<String, AtomicInteger> taken) {
        Optional<LockedTurn> turn = provider.fetchOrchestrationItem(LOCK, NO_WAIT, null);
        while (turn.isPresent()) {
            taken.computeIfAbsent(turn.get().item().instance(), id -> new AtomicInteger())
                    .incrementAndGet();
            provider.ackOrchestrationItem(firstAck(turn.get()));
            turn = provider.fetchOrchestrationItem(LOCK, NO_WAIT, null);
        }
    }

    private static boolean isLock(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH && request.body().startsWith("create:order-");
    }

    private void pinned(LockedTurn turn, int minor) {
        provider.ackOrchestrationItem(
                firstAck(turn).withMetadata(ExecutionMetadata.NONE.withPinnedVersion(SemanticVersion.of(0, minor, 0))));
    }

    private static WorkItem inSession(String session, long id) {
        return new WorkItem.ActivityExecute("order-1", 1, id, "charge", "{}", session, null);
    }

    /** Does it for 0 to count, in so many threads. */
    private static void concurrently(int threads, int count, IntConsumer what) throws Exception {
        List<Callable<Void>> all = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int firstOfThread = t;
            all.add(() -> {
                for (int i = firstOfThread; i < count; i += threads) {
                    what.accept(i);
                }
                return null;
            });
        }
        all(threads, all);
    }

    private static void all(int threads, List<Callable<Void>> tasks) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            for (Future<Void> done : pool.invokeAll(tasks)) {
                done.get();
            }
        } finally {
            pool.shutdownNow();
        }
    }
}
