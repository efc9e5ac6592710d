package io.sluice.relay.ledger.audit;

import com.azure.cosmos.CosmosException;
import io.sluice.relay.Drain;
import io.sluice.relay.ledger.load.Store;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** How far a run is, by what is published and what the store holds. For one thread, but for {@link #finished}. */
public final class Progress {
    private static final String ENDED = "\"type\":\"OrchestrationCompleted\"";
    private static final Duration HANG = Duration.ofMinutes(5);

    private final Topic topic;
    private final Store store;
    private int seen;
    private final AtomicInteger finished = new AtomicInteger();
    private int deletions;

    /** @param topic the history's */
    public Progress(Topic topic, Store store) {
        this.topic = topic;
        this.store = store;
    }

    /** Reads what is new. */
    public void look() {
        var messages = topic.read();
        for (; seen < messages.size(); seen++) {
            var message = messages.get(seen);
            if (message.isDeletion()) {
                deletions++;
            } else if (message.value().contains(ENDED) && !message.key().contains("::")) {
                finished.incrementAndGet();
            }
        }
    }

    /** How many orders have ended. */
    public int finished() {
        return finished.get();
    }

    /**
     * Waits until so many have ended, they and their children are deleted if they are to be, and nothing is left in the
     * store that somebody has to do; or until nothing moves any more. Then reads until a look brings nothing new.
     *
     * @param also what else must be so
     * @return what remained, or {@link Drain#NOTHING}
     */
    public String drain(int orders, int deleted, BooleanSupplier also) {
        var left = new Drain(() -> remaining(orders, deleted, also), HANG).awaitEnd();
        int before;
        do {
            before = seen;
            look();
        } while (seen > before);
        return left;
    }

    private String remaining(int orders, int deleted, BooleanSupplier also) {
        boolean isReady = also.getAsBoolean();
        look();
        if (finished() < orders || deletions < deleted) {
            return String.format(
                    Locale.ROOT,
                    "%d of %d orders ended, %d deletions of %d published",
                    finished(),
                    orders,
                    deletions,
                    deleted);
        }
        try {
            long waiting = waiting();
            // What is deleted was published before.
            long unpublished = deleted > 0 ? 0 : Math.max(0, store.count("history", "true") - seen);
            if (waiting + unpublished > 0) {
                return waiting + " documents wait, " + unpublished + " events are not published";
            }
            return isReady ? Drain.NOTHING : "not all is ready";
        } catch (CosmosException e) {
            return "not known: " + e.getShortMessage();
        }
    }

    /** How many documents wait for somebody. */
    private long waiting() {
        return store.count("outbox_intent", "true")
                + store.count("orch_queue", "true")
                + store.count("worker_queue", "true")
                + store.count("staged", "true")
                + store.count("deletion", "true");
    }
}
