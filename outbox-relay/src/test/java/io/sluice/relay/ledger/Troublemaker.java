package io.sluice.relay.ledger;

import static org.awaitility.Awaitility.await;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.StopSignal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does to a pipeline what a plan says. Not thread-safe; what it puts off happens on a thread of its own. */
final class Troublemaker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Troublemaker.class);
    /** Beyond the expiry of leases and sessions of group members, 9 s, by enough for others to take over. */
    private static final Duration PAUSE = Duration.ofSeconds(16);
    /** Beyond the time a producer waits for the end of its transaction, 20 s. */
    private static final Duration DOUBT = Duration.ofSeconds(22);

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int THROTTLED = 3_200;
    private static final int MOST_PARTITIONS = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Plan plan;
    private final CosmosEmulator emulator;
    private final CosmosStoreConfig store;
    private final KafkaProxy kafka;
    private final Fleet fleet;
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    private final Map<Plan.Action, Integer> done = new EnumMap<>(Plan.Action.class);
    private final List<Throwable> failures = new ArrayList<>();
    private final StopSignal closed = new StopSignal();

    Troublemaker(Plan plan, CosmosEmulator emulator, CosmosStoreConfig store, KafkaProxy kafka, Fleet fleet) {
        this.plan = plan;
        this.emulator = emulator;
        this.store = store;
        this.kafka = kafka;
        this.fleet = fleet;
    }

    /** Takes all steps, each in its time, and returns when all that was put off is over. */
    void run() throws Exception {
        for (var step : plan.steps()) {
            if (closed.restFor(step.after())) {
                return;
            }
            LOG.atInfo().addKeyValue("action", step.action()).log("trouble");
            take(step);
            done.merge(step.action(), 1, Integer::sum);
        }
        later.shutdown();
        if (!later.awaitTermination(plan.away().plus(PATIENCE).toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("what was put off has not happened");
        }
        if (!failures.isEmpty()) {
            throw new IllegalStateException("an action failed", failures.get(0));
        }
    }

    /** How often an action was taken. */
    int done(Plan.Action action) {
        return done.getOrDefault(action, 0);
    }

    private void take(Plan.Step step) throws Exception {
        switch (step.action()) {
            case KILL -> {
                var victim = awake(step.choice());
                fleet.join();
                fleet.kill(victim);
            }
            case PAUSE -> {
                var victim = awake(step.choice());
                fleet.pause(victim);
                after(PAUSE, () -> wake(victim));
            }
            case LEAVE -> {
                var leaver = running(step.choice());
                fleet.join();
                fleet.leave(leaver);
            }
            case SPLIT -> split(step.choice());
            case MERGE -> merge(step.choice());
            case LOSE_COMMIT -> kafka.loseAnswerToNextCommit();
            case DOUBT_COMMIT -> kafka.leaveNextCommitInDoubt(DOUBT);
            case LOSE_BATCH -> emulator.faults().loseAnswer(this::isBatch, 1 + step.choice() % 5);
            case THROTTLE_LEASES -> throttleLeases();
            case KAFKA_AWAY -> loseKafka();
            case COSMOS_AWAY -> loseCosmos();
            case BOTH_AWAY -> {
                loseKafka();
                loseCosmos();
            }
            default -> throw new IllegalStateException(step.action().name());
        }
    }

    /**
     * One that works, as a rule; every fifth time it may be one that only begins to. Waits until it isn't the last one
     * awake.
     */
    private Replica awake(int choice) {
        var awake = await().atMost(PATIENCE)
                .until(
                        () -> fleet.replicas().stream()
                                .filter(replica -> !replica.isPaused())
                                .toList(),
                        replicas -> replicas.size() > 1);
        var running = awake.stream().filter(Replica::isRunning).toList();
        var candidates = running.isEmpty() || choice % 5 == 0 ? awake : running;
        return candidates.get(choice % candidates.size());
    }

    /** Waits until there is one: SIGTERM drains only what works. */
    private Replica running(int choice) {
        var running = await().atMost(PATIENCE)
                .until(
                        () -> fleet.replicas().stream()
                                .filter(replica -> !replica.isPaused() && replica.isRunning())
                                .toList(),
                        replicas -> !replicas.isEmpty());
        return running.get(choice % running.size());
    }

    private void wake(Replica replica) {
        try {
            fleet.wake(replica);
        } catch (IOException e) {
            failures.add(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void split(int choice) {
        var ranges = emulator.partitions().of(store.database(), store.container());
        if (ranges.size() >= MOST_PARTITIONS) {
            merge(choice);
        }
        var now = emulator.partitions().of(store.database(), store.container());
        emulator.partitions()
                .split(
                        store.database(),
                        store.container(),
                        now.get(choice % now.size()).id());
    }

    private void merge(int choice) {
        var ranges = emulator.partitions().of(store.database(), store.container());
        if (ranges.size() == 1) {
            split(choice);
            merge(choice);
            return;
        }
        int first = choice % (ranges.size() - 1);
        emulator.partitions()
                .merge(
                        store.database(),
                        store.container(),
                        ranges.get(first).id(),
                        ranges.get(first + 1).id());
    }

    private void loseKafka() {
        kafka.away(true);
        after(plan.away(), () -> kafka.away(false));
    }

    private void loseCosmos() {
        var rule = emulator.faults().dropConnection(request -> true, 0);
        after(plan.away(), rule::remove);
    }

    private boolean isBatch(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH && store.container().equals(request.container());
    }

    private void throttleLeases() {
        var leases = store.container() + "-leases";
        var random = new Random(plan.seed());
        var rule = emulator.faults()
                .refuse(
                        request -> leases.equals(request.container())
                                && request.operation().isWrite()
                                && request.operation().isData()
                                && random.nextInt(10) < 3,
                        0,
                        TOO_MANY_REQUESTS,
                        THROTTLED);
        after(plan.throttled(), rule::remove);
    }

    private void after(Duration delay, Runnable task) {
        var unused = later.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        closed.give();
        later.shutdownNow();
    }
}
