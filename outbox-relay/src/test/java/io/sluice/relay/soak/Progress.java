package io.sluice.relay.soak;

import io.sluice.relay.ledger.Topic;
import java.util.concurrent.atomic.AtomicInteger;

/** How far the orders are, by what is published of them. {@link #look} is for one thread, figures for any. */
final class Progress {
    private static final String ENDED = "\"type\":\"OrchestrationCompleted\"";
    private static final String DELETED = ":deleted:";

    private final Topic topic;
    private int seen;
    private final AtomicInteger finished = new AtomicInteger();
    private final AtomicInteger deletions = new AtomicInteger();

    Progress(Topic topic) {
        this.topic = topic;
    }

    /** Reads what is new. */
    void look() {
        var messages = topic.read();
        int ends = 0;
        int gone = 0;
        for (; seen < messages.size(); seen++) {
            var message = messages.get(seen);
            if (message.eventId().contains(DELETED)) {
                gone++;
            } else if (message.value().contains(ENDED) && !message.key().contains("::")) {
                ends++;
            }
        }
        finished.addAndGet(ends);
        deletions.addAndGet(gone);
    }

    /** Reads until a look brings nothing new. */
    void lookUntilStill() {
        int before;
        do {
            before = seen;
            look();
        } while (seen > before);
    }

    int finished() {
        return finished.get();
    }

    int deletions() {
        return deletions.get();
    }
}
