package io.sluice.relay.ledger;

import static org.awaitility.Awaitility.await;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.PartitionRange;
import io.sluice.emulator.RequestKind;
import io.sluice.relay.Drain;
import io.sluice.relay.StopSignal;
import io.sluice.relay.ledger.process.Fleet;
import io.sluice.relay.ledger.process.Fleet.Kind;
import io.sluice.relay.ledger.process.Servers;
import io.sluice.testkit.process.JavaProcess;
import io.sluice.testkit.seed.Step;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does to a pipeline what a plan says, by threads of its own. */
final class FaultInjector implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FaultInjector.class);
    /** Beyond the expiry of sessions of group members, 9 s, by enough for others to take over. */
    private static final Duration PAUSE = Duration.ofSeconds(16);
    /** Beyond the time a producer waits for the end of its transaction, 20 s. */
    private static final Duration DOUBT = Duration.ofSeconds(22);

    private static final Set<RequestKind> READS = Set.of(RequestKind.QUERY, RequestKind.CHANGE_FEED);
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int THROTTLED = 3_200;
    private static final int MOST_PARTITIONS = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration START = Duration.ofSeconds(90);

    private final Plan plan;
    private final Servers servers;
    private final Fleet fleet;
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    private final Map<Plan.Action, Integer> done = new EnumMap<>(Plan.Action.class);
    private final Map<String, Long> killedMillis = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final Thread thread = new Thread(this::run, "faults");
    private final StopSignal closed = new StopSignal();

    FaultInjector(Plan plan, Servers servers, Fleet fleet) {
        this.plan = plan;
        this.servers = servers;
        this.fleet = fleet;
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            for (var step : plan.steps()) {
                if (closed.restFor(step.after())) {
                    return;
                }
                LOG.atInfo().addKeyValue("action", step.action()).log("fault injected");
                take(step);
                done.merge(step.action(), 1, Integer::sum);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception | Error e) {
            failure.set(e);
        }
    }

    /** Waits until all steps were taken, each in its time, and all that was put off is over. */
    void awaitEnd() throws InterruptedException {
        thread.join();
        later.shutdown();
        if (!later.awaitTermination(plan.away().plus(PATIENCE).toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("what was put off has not happened");
        }
        if (failure.get() != null) {
            throw new IllegalStateException("an action failed", failure.get());
        }
    }

    /** When each relay was killed, by its name. */
    Map<String, Long> killedMillis() {
        return Map.copyOf(killedMillis);
    }

    /** How often each action was taken. */
    Map<Plan.Action, Integer> done() {
        return new EnumMap<>(done);
    }

    private void take(Step<Plan.Action> step) throws Exception {
        switch (step.action()) {
            case KILL -> {
                var victim = victim(Kind.RELAY, step.choice());
                fleet.join(Kind.RELAY);
                fleet.kill(victim);
                killedMillis.put(victim.name(), System.currentTimeMillis());
            }
            case KILL_RUNTIME -> {
                var victim = victim(Kind.RUNTIME, step.choice());
                fleet.join(Kind.RUNTIME);
                fleet.kill(victim);
            }
            case PAUSE -> {
                var victim = victim(Kind.RELAY, step.choice());
                victim.freeze();
                after(PAUSE, victim::resume);
            }
            case LEAVE -> {
                var leaver = working(step.choice());
                fleet.join(Kind.RELAY);
                fleet.leave(leaver);
            }
            case SPLIT -> split(step.choice());
            case MERGE -> merge(step.choice());
            case LOSE_COMMIT -> servers.kafka().loseAnswerToNextCommit();
            case DOUBT_COMMIT -> servers.kafka().leaveNextCommitInDoubt(DOUBT);
            case LOSE_BATCH -> servers.emulator().faults().loseAnswer(this::isBatch, 1 + step.choice() % 5);
            case THROTTLE_READS -> throttleReads();
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
     * One that works, as a rule, for which it waits a while; every fifth time it may be one that only begins to. Never
     * one that is watched, nor the last one awake.
     */
    private JavaProcess victim(Kind kind, int choice) {
        await().atMost(PATIENCE).until(() -> fleet.awake(kind).size() > 1);
        if (choice % 5 != 0) {
            new Drain(() -> victims(kind, true).isEmpty() ? "nobody works" : Drain.NOTHING, START).awaitEnd();
        }
        var working = victims(kind, true);
        var candidates = working.isEmpty() || choice % 5 == 0 ? victims(kind, false) : working;
        return candidates.get(choice % candidates.size());
    }

    private List<JavaProcess> victims(Kind kind, boolean mustWork) {
        return fleet.awake(kind).stream()
                .filter(member -> !fleet.isWatched(member) && (!mustWork || kind.isWorking(member)))
                .toList();
    }

    /** Waits until there is one: SIGTERM drains only what works. */
    private JavaProcess working(int choice) {
        var working = await().atMost(PATIENCE).until(() -> victims(Kind.RELAY, true), found -> !found.isEmpty());
        return working.get(choice % working.size());
    }

    private List<PartitionRange> ranges() {
        return servers.emulator()
                .partitions()
                .of(servers.store().database(), servers.store().container());
    }

    private void split(int choice) {
        if (ranges().size() >= MOST_PARTITIONS) {
            merge(choice);
        }
        var now = ranges();
        servers.emulator()
                .partitions()
                .split(
                        servers.store().database(),
                        servers.store().container(),
                        now.get(choice % now.size()).id());
    }

    private void merge(int choice) {
        var ranges = ranges();
        if (ranges.size() == 1) {
            split(choice);
            merge(choice);
            return;
        }
        int first = choice % (ranges.size() - 1);
        servers.emulator()
                .partitions()
                .merge(
                        servers.store().database(),
                        servers.store().container(),
                        ranges.get(first).id(),
                        ranges.get(first + 1).id());
    }

    private void loseKafka() {
        servers.kafka().away(true);
        after(plan.away(), () -> servers.kafka().away(false));
    }

    private void loseCosmos() {
        var rule = servers.emulator().faults().dropConnection(request -> true, 0);
        after(plan.away(), rule::remove);
    }

    private boolean isBatch(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH
                && servers.store().container().equals(request.container());
    }

    private void throttleReads() {
        var container = servers.store().container();
        var random = new Random(plan.seed());
        var rule = servers.emulator()
                .faults()
                .refuse(
                        request -> container.equals(request.container())
                                && READS.contains(request.operation())
                                && random.nextInt(10) < 3,
                        0,
                        TOO_MANY_REQUESTS,
                        THROTTLED);
        after(plan.throttled(), rule::remove);
    }

    private void after(Duration delay, Runnable task) {
        var unused = later.schedule(() -> attempt(task), delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void attempt(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            failure.set(e);
        }
    }

    @Override
    public void close() {
        closed.give();
        later.shutdownNow();
    }
}
