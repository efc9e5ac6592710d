package io.sluice.benchmarks.outbox;

import io.sluice.benchmarks.store.Parallel;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Turns of many instances, fetched beforehand, so that one can be acked at any moment. Each ack commits one intent, to
 * start another instance. Thread-safe.
 */
final class FetchedTurns implements AutoCloseable {
    private static final Duration HELD = Duration.ofMinutes(30);
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final int DISPATCHERS = 8;
    private static final String NAME = "Order";
    private static final String VERSION = "1.0.0";

    private record Turn(String instance, String token) {}

    private final CosmosProvider provider;
    private final Queue<Turn> turns = new ConcurrentLinkedQueue<>();

    /**
     * Fetches the turns.
     *
     * @param ownTry whether their acks try to deliver
     */
    FetchedTurns(CosmosStoreConfig store, boolean ownTry, int count) {
        this.provider =
                CosmosProvider.builder().config(store).immediateDelivery(ownTry).build();
        var left = new AtomicInteger(count);
        List<Callable<Integer>> dispatchers = new ArrayList<>();
        for (int i = 0; i < DISPATCHERS; i++) {
            dispatchers.add(() -> take(left));
        }
        Parallel.run(dispatchers);
    }

    private int take(AtomicInteger left) {
        int taken = 0;
        for (int number = left.decrementAndGet(); number >= 0; number = left.decrementAndGet()) {
            provider.enqueueForOrchestrator(start("source-" + number), null);
            var turn = provider.fetchOrchestrationItem(HELD, TIMEOUT, null).orElseThrow();
            turns.add(new Turn(turn.item().instance(), turn.lockToken()));
            taken++;
        }
        return taken;
    }

    /** Acks one turn. Returns when it is committed and, if its ack tries to deliver, delivered. */
    void ack() {
        var turn = turns.remove();
        var started = new EventKind.OrchestrationStarted(NAME, VERSION, "{}", null, null, null, null, null);
        var event = HistoryEvent.of(1, turn.instance(), 1, System.currentTimeMillis(), "0.1.32", started);
        provider.ackOrchestrationItem(TurnAck.of(turn.token(), 1)
                .withHistory(List.of(event))
                .withOrchestratorItems(List.of(start("target-of-" + turn.instance())))
                .withMetadata(ExecutionMetadata.NONE.withOrchestration(NAME, VERSION)));
    }

    private static WorkItem start(String instance) {
        return new WorkItem.StartOrchestration(instance, NAME, "{}", VERSION, null, null, null, 1);
    }

    @Override
    public void close() {
        provider.close();
    }
}
