package io.sluice.relay.ledger.load;

import com.azure.cosmos.CosmosException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.DispatchSlot;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import io.sluice.relay.TestDocuments;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes turns as a Rust dispatcher leaves them behind when it dies before its reconciler runs: an event and an intent
 * of its form.
 */
public final class RustWriter {
    private static final Logger LOG = LoggerFactory.getLogger(RustWriter.class);
    private static final int DONE = 200;
    private static final int CONFLICT = 409;

    private static final int SOURCES = 5;

    private final Store store;

    /** Writes to the run's container. */
    public RustWriter(Store store) {
        this.store = store;
    }

    /** The turn of that number; repeating it changes nothing. */
    public void write(int number) {
        var source = Instances.STRANGER + number % SOURCES;
        var tag = new Tag(source, 2 + number / SOURCES, Instances.hub(number % Instances.HUBS));
        var sent = history(source, tag.number(), tag.sent());
        var started = new EventKind.OrchestrationStarted("Rust", "1.0.0", "{}", null, null, null, null, null);
        var documents =
                number < SOURCES ? List.of(history(source, 1, started), sent, intent(tag)) : List.of(sent, intent(tag));
        int status = 0;
        while (status != DONE && status != CONFLICT) {
            try {
                status = store.create(source, documents);
            } catch (CosmosException e) {
                LOG.atDebug().setCause(e).log("not known whether the turn was written, once more");
            }
        }
    }

    private static ObjectNode history(String source, long number, EventKind kind) {
        return TestDocuments.event(HistoryEvent.of(number, source, 1, System.currentTimeMillis(), "0.1.32", kind));
    }

    private static ObjectNode intent(Tag tag) {
        long now = System.currentTimeMillis();
        var key = tag.source() + ":1:" + tag.number();
        var message = TestDocuments.document(UUID.randomUUID().toString(), tag.target(), "orch_queue")
                .put("workItem", WorkItemJson.encode(new WorkItem.ExternalRaised(tag.target(), "tag", tag.toString())))
                .put("dispatchSlot", DispatchSlot.of(tag.target()))
                .put("visibleAt", now)
                .put("enqueuedAt", now)
                .putNull("lockToken")
                .putNull("lockedUntil")
                .put("attemptCount", 0)
                .putNull("executionId")
                .putNull("activityId")
                .putNull("sessionId");
        return TestDocuments.intent(key, tag.source(), tag.target(), message, now)
                .putNull("lastAttemptAt");
    }
}
