package io.sluice.relay;

import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.kafka.KafkaWorkFeed;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/** Two dispatchers that run orders of one activity. */
final class SmallRuntime implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LOCK = Duration.ofSeconds(30);

    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final CosmosProvider provider;
    private final ExecutorService dispatchers = Executors.newFixedThreadPool(2);
    private final Set<String> done = ConcurrentHashMap.newKeySet();
    /** Not done while turns that are fetched are held. */
    private volatile CompletableFuture<Void> free = CompletableFuture.completedFuture(null);

    private volatile boolean isClosed;

    /** @param clientProperties of Kafka, where announcements come from */
    SmallRuntime(TestStore store, String prefix, Map<String, String> clientProperties) {
        provider = CosmosProvider.builder()
                .config(store.config())
                .relayExpected(Duration.ofSeconds(30))
                .meterRegistry(meters)
                .workFeed(KafkaWorkFeed.builder()
                        .clientProperties(clientProperties)
                        .topicPrefix(prefix)
                        .meterRegistry(meters)
                        .build())
                .build();
        dispatchers.execute(() -> repeat(this::runTurn));
        dispatchers.execute(() -> repeat(this::runActivity));
    }

    private void repeat(Runnable step) {
        while (!isClosed) {
            step.run();
        }
    }

    private void runTurn() {
        provider.fetchOrchestrationItem(LOCK, Duration.ofSeconds(1), null).ifPresent(turn -> {
            boolean isStart = turn.item().history().isEmpty();
            free.join();
            provider.ackOrchestrationItem(isStart ? begun(turn) : ended(turn));
            if (!isStart) {
                done.add(turn.item().instance());
            }
        });
    }

    private static TurnAck begun(LockedTurn turn) {
        String instance = turn.item().instance();
        return TurnAck.of(turn.lockToken(), 1)
                .withHistory(List.of(event(instance, 1)))
                .withWorkerItems(List.of(new WorkItem.ActivityExecute(instance, 1, 2, "charge", "{}", null, null)))
                .withMetadata(ExecutionMetadata.NONE.withOrchestration("Order", "1.0.0"));
    }

    private static TurnAck ended(LockedTurn turn) {
        return TurnAck.of(turn.lockToken(), 1)
                .withHistory(List.of(event(turn.item().instance(), 3)));
    }

    private static HistoryEvent event(String instance, long id) {
        return HistoryEvent.of(
                id, instance, 1, System.currentTimeMillis(), "0.1.32", new EventKind.ExternalEvent("step", "{}"));
    }

    private void runActivity() {
        provider.fetchWorkItem(LOCK, Duration.ofSeconds(1), null, TagFilter.defaultOnly())
                .ifPresent(activity -> {
                    var execute = (WorkItem.ActivityExecute) activity.item();
                    provider.ackWorkItem(
                            activity.lockToken(),
                            new WorkItem.ActivityCompleted(execute.instance(), 1, execute.id(), "done"));
                });
    }

    /** Turns that are fetched are not acked, until {@link #goOn}. */
    void holdTurns() {
        free = new CompletableFuture<>();
    }

    void goOn() {
        free.complete(null);
    }

    /** Instances whose orders are done. */
    Set<String> done() {
        return Set.copyOf(done);
    }

    /** Whether the announcements of both queues can be relied on. */
    boolean isAnnounced() {
        return meters.find("sluice.work.feed.healthy").gauges().stream()
                        .filter(gauge -> gauge.value() == 1)
                        .count()
                == 2;
    }

    double requests() {
        return meters.find("sluice.provider.requests").timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }

    String describe() {
        return meters.find("sluice.provider.requests").timers().stream()
                .filter(timer -> timer.count() > 0)
                .map(timer ->
                        timer.getId().getTag("operation") + " " + timer.getId().getTag("outcome") + " " + timer.count())
                .collect(Collectors.joining(", "));
    }

    /** Until two seconds have passed without a request. */
    void awaitQuiet() {
        await().atMost(PATIENCE).until(this::requests, new Unchanged(Duration.ofSeconds(2))::isMet);
    }

    @Override
    public void close() {
        isClosed = true;
        goOn();
        provider.close();
        dispatchers.shutdownNow();
        await().atMost(PATIENCE).until(dispatchers::isTerminated);
    }

    /** Met by a value that has been the same for a while. */
    private static final class Unchanged {
        private final long nanos;
        private double value = -1;
        private long sinceNanos = System.nanoTime();

        Unchanged(Duration time) {
            this.nanos = time.toNanos();
        }

        boolean isMet(double now) {
            if (now != value) {
                value = now;
                sinceNanos = System.nanoTime();
            }
            return System.nanoTime() - sinceNanos >= nanos;
        }
    }
}
