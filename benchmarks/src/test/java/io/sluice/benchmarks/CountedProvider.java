package io.sluice.benchmarks;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.Provider;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A provider on the emulator that works its queues by hand, and counts the requests of the calls it is asked to. */
final class CountedProvider {
    static final Duration LOCK = Duration.ofSeconds(30);

    private final EmulatedStore emulated;
    private final Provider provider;
    private final Map<String, RequestCost> costs = new LinkedHashMap<>();
    private int instances;

    CountedProvider(EmulatedStore emulated, Provider provider) {
        this.emulated = emulated;
        this.provider = provider;
    }

    Provider provider() {
        return provider;
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
        return provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null).orElseThrow();
    }

    LockedWorkItem fetchActivity() {
        return provider.fetchWorkItem(LOCK, Duration.ZERO, null, TagFilter.defaultOnly())
                .orElseThrow();
    }

    TurnAck ack(TurnAck ack) {
        provider.ackOrchestrationItem(ack);
        return ack;
    }

    void drainTurns() {
        provider.fetchOrchestrationItem(LOCK, Duration.ZERO, null).ifPresent(turn -> {
            ack(TurnAck.of(turn.lockToken(), turn.item().executionId()));
            drainTurns();
        });
    }

    void drainWorkers() {
        provider.fetchWorkItem(LOCK, Duration.ZERO, null, TagFilter.defaultOnly())
                .ifPresent(item -> {
                    provider.ackWorkItem(item.lockToken(), null);
                    drainWorkers();
                });
    }

    String nextInstance() {
        instances++;
        return "order-" + instances;
    }

    void enqueueStart(String instance) {
        provider.enqueueForOrchestrator(
                new WorkItem.StartOrchestration(instance, "Order", "{}", "1.0.0", null, null, null, 1), null);
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
            provider.ackWorkItem(
                    fetchActivity().lockToken(), new WorkItem.ActivityCompleted(instance, 1, i + 2L, "{}"));
        }
    }
}
