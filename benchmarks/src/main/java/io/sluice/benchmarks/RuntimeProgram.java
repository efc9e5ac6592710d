package io.sluice.benchmarks;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.kafka.KafkaWorkFeed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A runtime without user code, as a process of its own: an instance ends with its first turn. It prints
 * {@link #DISPATCHES} when it works; where work is announced, when it can rely on that.
 */
public final class RuntimeProgram {
    static final String DISPATCHES = "this runtime dispatches";
    /** How long a runtime and its clients trust that a relay is there. */
    static final Duration RELAY_EXPECTED = Duration.ofSeconds(30);

    private static final Duration LOCK = Duration.ofSeconds(30);
    private static final Duration LONG_POLL = Duration.ofSeconds(30);

    private RuntimeProgram() {}

    /**
     * Runs until it is ended.
     *
     * @param arguments the way, a broker, the topics' prefix, how many dispatchers of turns, how many of activities
     */
    public static void main(String[] arguments) {
        var meters = new SimpleMeterRegistry();
        var builder = CosmosProvider.builder()
                .config(CosmosStoreConfig.fromEnvironment(System.getenv()))
                .relayExpected(RELAY_EXPECTED)
                .meterRegistry(meters);
        boolean announced = Way.named(arguments[0]) == Way.ANNOUNCED;
        if (announced) {
            builder.workFeed(KafkaWorkFeed.builder()
                    .clientProperties(Map.of("bootstrap.servers", arguments[1]))
                    .topicPrefix(arguments[2])
                    .meterRegistry(meters)
                    .build());
        }
        var provider = builder.build();
        var closed = new AtomicBoolean();
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            closed.set(true);
                            provider.close();
                        },
                        "runtime-end"));
        int turns = Integer.parseInt(arguments[3]);
        int activities = Integer.parseInt(arguments[4]);
        var failed = dispatch(provider, turns, activities);
        // A queue for which nobody waits is not listened to.
        int queues = Integer.signum(turns) + Integer.signum(activities);
        Wait.until("work is announced", () -> !announced || feeds(meters) == queues);
        System.out.println(DISPATCHES);
        failed.exceptionally(fault -> {
                    if (!closed.get()) {
                        fault.printStackTrace();
                        Runtime.getRuntime().halt(1);
                    }
                    return null;
                })
                .join();
    }

    private static long feeds(SimpleMeterRegistry meters) {
        return meters.find("sluice.work.feed.healthy").gauges().stream()
                .filter(gauge -> gauge.value() == 1)
                .count();
    }

    /** Ends, with its reason, when one of the dispatchers has ended. */
    private static CompletableFuture<Object> dispatch(CosmosProvider provider, int turns, int activities) {
        ExecutorService threads = Executors.newCachedThreadPool();
        var steps = Stream.concat(
                IntStream.range(0, turns).mapToObj(i -> (Runnable) () -> turn(provider)),
                IntStream.range(0, activities).mapToObj(i -> (Runnable) () -> activity(provider)));
        return CompletableFuture.anyOf(steps.map(step -> CompletableFuture.runAsync(() -> repeat(step), threads))
                .toArray(CompletableFuture[]::new));
    }

    private static void repeat(Runnable step) {
        while (!Thread.currentThread().isInterrupted()) {
            step.run();
        }
    }

    private static void turn(CosmosProvider provider) {
        provider.fetchOrchestrationItem(LOCK, LONG_POLL, null)
                .ifPresent(turn -> provider.ackOrchestrationItem(end(turn)));
    }

    private static void activity(CosmosProvider provider) {
        provider.fetchWorkItem(LOCK, LONG_POLL, null, TagFilter.defaultOnly())
                .ifPresent(item -> provider.ackWorkItem(item.lockToken(), null));
    }

    private static TurnAck end(LockedTurn turn) {
        String instance = turn.item().instance();
        return TurnAck.of(turn.lockToken(), turn.item().executionId())
                .withHistory(List.of(
                        event(
                                instance,
                                1,
                                new EventKind.OrchestrationStarted(
                                        "Order", "1.0.0", "{}", null, null, null, null, null)),
                        event(instance, 2, new EventKind.OrchestrationCompleted("{}"))))
                .withMetadata(ExecutionMetadata.NONE
                        .withOrchestration("Order", "1.0.0")
                        .withStatus("Completed", "{}"));
    }

    private static HistoryEvent event(String instance, long id, EventKind kind) {
        return HistoryEvent.of(id, instance, 1, System.currentTimeMillis(), "0.1.32", kind);
    }
}
