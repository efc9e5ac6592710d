package io.sluice.benchmarks;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.Provider;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Three processes on the emulator whose queues are worked by hand: one sends starts, events and activities, one runs
 * turns, one runs activities. Counts the requests of the calls it is asked to.
 *
 * <p>A process knows what it queued itself, and queries for what others did. So that counts do not depend on how fast
 * the machine is, what it fetches was queued by another, and no query is due because time has passed.
 */
final class CountedProcesses implements AutoCloseable {
    static final Duration LOCK = Duration.ofSeconds(30);

    /** Longer than all that is counted between two queries; a fetch that knows of no work queries at once. */
    private static final Duration BETWEEN_QUERIES = Duration.ofMinutes(1);

    private final EmulatedStore emulated;
    private final CosmosProvider client;
    private final CosmosProvider turns;
    private final CosmosProvider activities;
    private final Map<String, RequestCost> costs = new LinkedHashMap<>();
    private int instances;

    CountedProcesses(EmulatedStore emulated) {
        this.emulated = emulated;
        this.client = another();
        this.turns = another();
        this.activities = another();
    }

    /** One more, to be closed. */
    CosmosProvider another() {
        return CosmosProvider.builder()
                .reconciler(false)
                .searchIntervals(BETWEEN_QUERIES, BETWEEN_QUERIES)
                .config(emulated.config())
                .build();
    }

    /** The one that sends starts, events and activities. */
    Provider client() {
        return client;
    }

    /** The one that runs turns. */
    Provider turns() {
        return turns;
    }

    /** The one that runs activities. */
    Provider activities() {
        return activities;
    }

    /** The costs by operation, in the order in which they were counted. */
    Map<String, RequestCost> costs() {
        return costs;
    }

    <T> T counted(String operation, Supplier<T> call) {
        emulated.forget();
        T result = call.get();
        costs.put(operation, emulated.cost());
        return result;
    }

    LockedTurn fetchTurn() {
        return turns.fetchOrchestrationItem(LOCK, Duration.ZERO, null).orElseThrow();
    }

    LockedWorkItem fetchActivity() {
        return activities
                .fetchWorkItem(LOCK, Duration.ZERO, null, TagFilter.defaultOnly())
                .orElseThrow();
    }

    TurnAck ack(TurnAck ack) {
        turns.ackOrchestrationItem(ack);
        return ack;
    }

    void drainTurns() {
        turns.fetchOrchestrationItem(LOCK, Duration.ZERO, null).ifPresent(turn -> {
            ack(TurnAck.of(turn.lockToken(), turn.item().executionId()));
            drainTurns();
        });
    }

    void drainActivities() {
        activities
                .fetchWorkItem(LOCK, Duration.ZERO, null, TagFilter.defaultOnly())
                .ifPresent(item -> {
                    activities.ackWorkItem(item.lockToken(), null);
                    drainActivities();
                });
    }

    String nextInstance() {
        instances++;
        return "order-" + instances;
    }

    void enqueueStart(String instance) {
        client.enqueueForOrchestrator(
                new WorkItem.StartOrchestration(instance, "Order", "{}", "1.0.0", null, null, null, 1), null);
    }

    void raiseEvent(String instance) {
        client.enqueueForOrchestrator(new WorkItem.ExternalRaised(instance, "go", "{}"), null);
    }

    String knownInstance() {
        var instance = nextInstance();
        enqueueStart(instance);
        ack(TurnAck.of(fetchTurn().lockToken(), 1)
                .withHistory(List.of(SampleOrders.started(instance)))
                .withMetadata(SampleOrders.named()));
        return instance;
    }

    void runActivities(String instance, int count) {
        for (int i = 0; i < count; i++) {
            activities.ackWorkItem(
                    fetchActivity().lockToken(), new WorkItem.ActivityCompleted(instance, 1, i + 2L, "{}"));
        }
    }

    @Override
    public void close() {
        client.close();
        turns.close();
        activities.close();
    }
}
