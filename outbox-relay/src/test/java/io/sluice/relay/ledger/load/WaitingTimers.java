package io.sluice.relay.ledger.load;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.DispatchSlot;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import io.sluice.relay.TestDocuments;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Instances that wait for a timer, as a runtime leaves them: a head, two events, and the timer's message. Written past
 * the provider, each in one batch, so that a hundred thousand are soon there.
 */
public final class WaitingTimers {
    private static final String VERSION = "0.1.32";
    private static final long VERSION_PACKED = 1_032;
    private static final int WRITERS = 8;
    private static final long TIMER = 2;

    private final Store store;
    private final long now = System.currentTimeMillis();

    /** Writes to the run's container. */
    public WaitingTimers(Store store) {
        this.store = store;
    }

    /** Writes so many; the first is due at a time, and the last so much later. */
    public void write(int count, long fromMillis, long withinMillis) throws Exception {
        var next = new AtomicInteger();
        var executor = Executors.newFixedThreadPool(WRITERS);
        try {
            List<Callable<Boolean>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                writers.add(() -> {
                    for (int n = next.getAndIncrement(); n < count; n = next.getAndIncrement()) {
                        write(Instances.TIMER + n, fromMillis + withinMillis * n / count);
                    }
                    return true;
                });
            }
            for (var writer : executor.invokeAll(writers)) {
                writer.get();
            }
        } finally {
            executor.shutdownNow();
        }
    }

    private void write(String id, long due) {
        int status = store.create(id, documents(id, due));
        if (status >= 300) {
            throw new IllegalStateException("a batch was answered " + status);
        }
    }

    private List<ObjectNode> documents(String id, long due) {
        return List.of(
                head(id),
                event(id, 1, new EventKind.OrchestrationStarted("Timer", "1.0.0", "{}", null, null, null, null, null)),
                event(id, TIMER, new EventKind.TimerCreated(due)),
                timer(id, due));
    }

    private ObjectNode head(String id) {
        return TestDocuments.document(id + ":instance", id, "instance")
                .put("orchestrationName", "Timer")
                .put("orchestrationVersion", "1.0.0")
                .put("currentExecutionId", 1)
                .put("status", "Running")
                .putNull("output")
                .putNull("parentInstanceId")
                .put("pinnedDuroxideVersionPacked", VERSION_PACKED)
                .putNull("customStatus")
                .put("customStatusVersion", 0)
                .putNull("lockToken")
                .putNull("lockedUntil")
                .put("createdAt", now)
                .put("updatedAt", now);
    }

    private ObjectNode event(String id, long number, EventKind kind) {
        return TestDocuments.event(HistoryEvent.of(number, id, 1, now, VERSION, kind));
    }

    private ObjectNode timer(String id, long due) {
        return TestDocuments.document(id + "-timer", id, "orch_queue")
                .put("workItem", WorkItemJson.encode(new WorkItem.TimerFired(id, 1, TIMER, due)))
                .put("dispatchSlot", DispatchSlot.of(id))
                .put("visibleAt", due)
                .put("enqueuedAt", now)
                .putNull("lockToken")
                .putNull("lockedUntil")
                .put("attemptCount", 0);
    }
}
