package io.sluice.provider.locks;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.feed.BackgroundAnnouncements;
import io.sluice.provider.feed.ChangeFeedAnnouncer;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.ExtraFields;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.locks.LockHistory.Kind;
import io.sluice.provider.locks.LockHistory.Operation;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dispatchers and workers of four processes fight for a few instances and activities with locks so short that many
 * lapse while they are held. Of thousands of operations none may contradict another; every activity ends once. In the
 * first tier the worlds of {@code SimulationIT} and {@code CrashEnumerationIT} judge every lock, and
 * {@code StarvationIT} has fifty dispatchers at once.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Tag("thorough")
class LockHistoryIT {
    private static final Logger LOG = LoggerFactory.getLogger(LockHistoryIT.class);

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private static final Duration LOCK = Duration.ofMillis(200);
    private static final int OPERATIONS = Integer.getInteger("locks.operations", 10_000);
    private static final int ANNOUNCED_OPERATIONS = Integer.getInteger("locks.announced", 3_000);
    private static final int PROCESSES = 4;
    private static final int DISPATCHERS = 4;
    private static final int WORKERS = 3;
    private static final int INSTANCES = 40;

    private final LockHistory turns = new LockHistory(LOCK);
    private final LockHistory activities = new LockHistory(LOCK);
    private int enough;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void no_two_hold_one_lock_and_no_former_holder_acks(boolean isAnnounced) throws Exception {
        enough = isAnnounced ? ANNOUNCED_OPERATIONS : OPERATIONS;
        var config = new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
        CosmosStore.provision(config);
        long seed = Tier.seed("locks.seed");
        LOG.atWarn().addKeyValue("seed", seed).log("locks are fought for");
        var random = new SplittableRandom(seed);
        var providers = new ArrayList<CosmosProvider>();
        var pool = Executors.newCachedThreadPool();
        var store = CosmosStore.open(config);
        var announcer = ChangeFeedAnnouncer.of(store.container(), InstantSource.system());
        var announcements = isAnnounced ? BackgroundAnnouncements.start(announcer) : null;
        try {
            for (int i = 0; i < PROCESSES; i++) {
                // One clock, as the checker's: that of the service would be estimated anew by each process.
                var builder = CosmosProvider.builder()
                        .reconciler(false)
                        .config(config)
                        .clock(InstantSource.system());
                providers.add((isAnnounced ? builder.workFeed(announcer.join()) : builder).build());
            }
            startAll(providers.get(0));
            var clients = new ArrayList<Callable<Boolean>>();
            for (var provider : providers) {
                IntStream.range(0, DISPATCHERS).forEach(i -> clients.add(dispatcher(provider, random.split())));
                IntStream.range(0, WORKERS).forEach(i -> clients.add(worker(provider, random.split())));
            }
            for (var ended : pool.invokeAll(clients)) {
                ended.get();
            }
        } finally {
            pool.shutdownNow();
            providers.forEach(CosmosProvider::close);
            if (announcements != null) {
                announcements.close();
            }
            store.close();
        }

        LOG.atWarn()
                .addKeyValue("turns", turns.size())
                .addKeyValue("activities", activities.size())
                .addKeyValue("acks", turns.succeeded(Kind.ACK) + activities.succeeded(Kind.ACK))
                .log("locks were fought for");
        assertThat(turns.violations()).as("seed %d", seed).isEmpty();
        assertThat(activities.violations()).as("seed %d", seed).isEmpty();
        assertThat(turns.size() + activities.size()).isGreaterThanOrEqualTo(enough);
        assertThat(turns.succeeded(Kind.ACK)).isPositive();
        assertThat(activities.succeeded(Kind.ACK)).isPositive();
        assertThat(turns.size()
                        - turns.succeeded(Kind.FETCH)
                        - turns.succeeded(Kind.ACK)
                        - turns.succeeded(Kind.RENEW)
                        - turns.succeeded(Kind.ABANDON))
                .as("operations that came too late")
                .isPositive();
    }

    private static void startAll(CosmosProvider provider) {
        IntStream.range(0, INSTANCES)
                .forEach(i -> provider.enqueueForOrchestrator(
                        new WorkItem.StartOrchestration("order-" + i, "Order", "{}", "1.0.0", null, null, null, 1),
                        null));
    }

    private boolean isEnough() {
        return turns.size() + activities.size() >= enough;
    }

    private Callable<Boolean> dispatcher(CosmosProvider provider, SplittableRandom random) {
        return () -> {
            while (!isEnough()) {
                long begun = System.nanoTime();
                var turn = provider.fetchOrchestrationItem(LOCK, LOCK, null);
                long ended = System.nanoTime();
                if (turn.isPresent()) {
                    var lock = turn.get().item().instance();
                    var token = turn.get().lockToken();
                    turns.add(new Operation(Kind.FETCH, lock, token, begun, ended, true));
                    hold(
                            random,
                            new Held(turns, lock, token),
                            () -> provider.renewOrchestrationItemLock(token, LOCK),
                            () -> provider.abandonOrchestrationItem(token, null, false),
                            () -> provider.ackOrchestrationItem(next(turn.get())));
                }
            }
            return true;
        };
    }

    private Callable<Boolean> worker(CosmosProvider provider, SplittableRandom random) {
        return () -> {
            while (!isEnough()) {
                long begun = System.nanoTime();
                var item = provider.fetchWorkItem(LOCK, LOCK, null, TagFilter.defaultOnly());
                long ended = System.nanoTime();
                if (item.isPresent()) {
                    var lock = activityOf(item.get());
                    var token = item.get().lockToken();
                    activities.add(new Operation(Kind.FETCH, lock, token, begun, ended, true));
                    hold(
                            random,
                            new Held(activities, lock, token),
                            () -> provider.renewWorkItemLock(token, LOCK),
                            () -> provider.abandonWorkItem(token, null, false),
                            () -> provider.ackWorkItem(token, null));
                }
            }
            return true;
        };
    }

    private record Held(LockHistory history, String lock, String token) {
        private void done(Kind kind, Runnable operation) {
            long begun = System.nanoTime();
            boolean succeeded = true;
            try {
                operation.run();
            } catch (ProviderException e) {
                succeeded = false;
            }
            history.add(new Operation(kind, lock, token, begun, System.nanoTime(), succeeded));
        }
    }

    /** Some work, mostly short, sometimes longer than the lock; then one of the ways to end it. */
    private static void hold(SplittableRandom random, Held held, Runnable renew, Runnable abandon, Runnable ack) {
        work(random);
        if (random.nextInt(3) == 0) {
            held.done(Kind.RENEW, renew);
            work(random);
        }
        int end = random.nextInt(10);
        if (end < 7) {
            held.done(Kind.ACK, ack);
        } else if (end < 9) {
            held.done(Kind.ABANDON, abandon);
        }
    }

    private static void work(SplittableRandom random) {
        if (random.nextInt(5) == 0) {
            new CompletableFuture<Void>()
                    .completeOnTimeout(null, random.nextLong(2 * LOCK.toNanos()), TimeUnit.NANOSECONDS)
                    .join();
        }
    }

    /** The turn sends its instance the next message, and a worker an activity now and then: neither ever runs out. */
    private static TurnAck next(LockedTurn turn) {
        var instance = turn.item().instance();
        long id = turn.item().history().size() + 1L;
        return TurnAck.of(turn.lockToken(), 1)
                .withHistory(List.of(new HistoryEvent(
                        id,
                        null,
                        instance,
                        1,
                        1_740_000_000_000L,
                        "0.1.32",
                        new EventKind.ExternalEvent("turn", "{}"),
                        ExtraFields.NONE)))
                .withWorkerItems(List.of(new WorkItem.ActivityExecute(instance, 1, id, "charge", "{}", null, null)))
                .withOrchestratorItems(List.of(new WorkItem.ExternalRaised(instance, "turn", "{}")));
    }

    private static String activityOf(LockedWorkItem item) {
        var activity = (WorkItem.ActivityExecute) item.item();
        return activity.instance() + "/" + activity.id();
    }
}
