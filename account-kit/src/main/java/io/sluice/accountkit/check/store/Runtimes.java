package io.sluice.accountkit.check.store;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Three providers, as of three processes: one sends, one runs turns, one runs activities. What one fetches another has
 * queued, so each fetch queries for it; nothing is queried because time has passed. Not thread-safe.
 */
final class Runtimes implements AutoCloseable {
    /** Longer than all that is counted takes; a fetch that waits for nothing queries at once where it knows of none. */
    private static final Duration BETWEEN_QUERIES = Duration.ofMinutes(1);

    private static final Duration LOCK = Duration.ofSeconds(30);
    private static final int SENDERS = 8;
    private static final String VERSION = "1.0.0";
    private static final String ORCHESTRATION = "Order";
    private static final long CREATED = 1_740_000_000_000L;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final CosmosStore store;
    private final CosmosProvider client;
    private final CosmosProvider turns;
    private final CosmosProvider activities;

    Runtimes(io.sluice.provider.cosmos.CosmosStoreConfig config) {
        this.store = CosmosStore.open(config);
        this.client = provider();
        this.turns = provider();
        this.activities = provider();
    }

    private CosmosProvider provider() {
        return CosmosProvider.builder()
                .store(store)
                .reconciler(false)
                .searchIntervals(BETWEEN_QUERIES, BETWEEN_QUERIES)
                .meterRegistry(meters)
                .build();
    }

    /** What all that was asked has cost until now. */
    Cost cost() {
        return new Cost(sum("sluice.provider.operation.requests"), sum("sluice.provider.operation.charge"));
    }

    private double sum(String meter) {
        return meters.find(meter).summaries().stream()
                .mapToDouble(DistributionSummary::totalAmount)
                .sum();
    }

    /** An orchestration that starts, runs so many activities at once, and completes. */
    void play(String instance, int count, boolean isRecorded) {
        start(instance);
        List<WorkItem> work = IntStream.range(0, count)
                .<WorkItem>mapToObj(i -> new WorkItem.ActivityExecute(instance, 1, i + 2L, "Charge", "{}", null, null))
                .toList();
        List<HistoryEvent> events =
                isRecorded ? List.of(started(instance), scheduled(instance)) : List.of(started(instance));
        turns.ackOrchestrationItem(TurnAck.of(turn().lockToken(), 1)
                .withHistory(events)
                .withWorkerItems(work)
                .withMetadata(named()));
        for (int i = 0; i < count; i++) {
            activities.ackWorkItem(activity().lockToken(), new WorkItem.ActivityCompleted(instance, 1, i + 2L, "{}"));
        }
        turns.ackOrchestrationItem(
                TurnAck.of(turn().lockToken(), 1).withMetadata(named().withStatus("Completed", "{}")));
    }

    /** An orchestration that has begun, and waits for events. */
    void begin(String instance) {
        start(instance);
        turns.ackOrchestrationItem(TurnAck.of(turn().lockToken(), 1)
                .withHistory(List.of(started(instance)))
                .withMetadata(named()));
    }

    void start(String instance) {
        client.enqueueForOrchestrator(
                new WorkItem.StartOrchestration(instance, ORCHESTRATION, "{}", VERSION, null, null, null, 1), null);
    }

    /** Sends so many events, several at once. */
    void raise(String instance, int count) throws InterruptedException {
        ExecutorService senders = Executors.newFixedThreadPool(SENDERS);
        try {
            List<Callable<Void>> sends = Collections.nCopies(count, () -> {
                client.enqueueForOrchestrator(new WorkItem.ExternalRaised(instance, "go", "{}"), null);
                return null;
            });
            for (Future<Void> each : senders.invokeAll(sends)) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("an event was not sent: " + e.getCause(), e);
        } finally {
            senders.shutdownNow();
        }
    }

    /** Fetches and acks turns until none waits; how many messages they had. */
    int drain() {
        int messages = 0;
        Optional<LockedTurn> turn = turns.fetchOrchestrationItem(LOCK, Duration.ZERO, null);
        while (turn.isPresent()) {
            messages += turn.get().item().messages().size();
            turns.ackOrchestrationItem(TurnAck.of(turn.get().lockToken(), 1));
            turn = turns.fetchOrchestrationItem(LOCK, Duration.ZERO, null);
        }
        return messages;
    }

    private LockedTurn turn() {
        return turns.fetchOrchestrationItem(LOCK, Duration.ZERO, null)
                .orElseThrow(() -> new NoSuchElementException("no turn was found that waits"));
    }

    private LockedWorkItem activity() {
        return activities
                .fetchWorkItem(LOCK, Duration.ZERO, null, TagFilter.defaultOnly())
                .orElseThrow(() -> new NoSuchElementException("no activity was found that waits"));
    }

    private static HistoryEvent started(String instance) {
        return HistoryEvent.of(
                1,
                instance,
                1,
                CREATED,
                VERSION,
                new EventKind.OrchestrationStarted(ORCHESTRATION, VERSION, "{}", null, null, null, null, null));
    }

    private static HistoryEvent scheduled(String instance) {
        return HistoryEvent.of(
                2, instance, 1, CREATED, VERSION, new EventKind.ActivityScheduled("Charge", "{}", null, null));
    }

    private static ExecutionMetadata named() {
        return ExecutionMetadata.NONE.withOrchestration(ORCHESTRATION, VERSION);
    }

    @Override
    public void close() {
        client.close();
        turns.close();
        activities.close();
        store.close();
    }
}
