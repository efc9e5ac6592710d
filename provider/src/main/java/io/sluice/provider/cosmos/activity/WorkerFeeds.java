package io.sluice.provider.cosmos.activity;

import io.sluice.provider.cosmos.candidate.CandidateFeed;
import io.sluice.provider.cosmos.candidate.QueueRows;
import io.sluice.provider.cosmos.document.QueueDocument;
import io.sluice.provider.cosmos.document.Stored;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.slot.SlotSharing;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The worker queue as this process's workers see it: one feed per view. Thread-safe. */
final class WorkerFeeds {
    private final ConcurrentMap<WorkerQueueView, CandidateFeed<ActivityCandidate>> feeds = new ConcurrentHashMap<>();
    private final ContainerRequests requests;
    private final QueueRows queue;
    private final SlotSharing slots;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private volatile boolean closed;

    WorkerFeeds(
            ContainerRequests requests,
            QueueRows queue,
            SlotSharing slots,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.requests = requests;
        this.queue = queue;
        this.slots = slots;
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    CandidateFeed<ActivityCandidate> of(WorkerQueueView view) {
        CandidateFeed<ActivityCandidate> feed = feeds.computeIfAbsent(
                view,
                v -> new CandidateFeed<>(
                        v.query(requests, queue, clock), slots.of("activities", v.wanted()), clock, nanoTime));
        if (closed) {
            feed.close();
        }
        return feed;
    }

    /** Ends the waits of all workers; nothing is handed out any more. */
    void close() {
        closed = true;
        each(CandidateFeed::close);
    }

    /** Another process was faster with an activity. */
    void raceLost() {
        each(CandidateFeed::raceLost);
    }

    /**
     * Activities were queued; workers who wait are given those that are known, the others have to ask.
     *
     * @param known all of them with their versions, or none
     */
    void queued(List<Stored<QueueDocument>> known) {
        boolean areTaken = !known.isEmpty();
        for (var activity : known) {
            areTaken &= isTaken(new ActivityCandidate(activity, 0, nanoTime.getAsLong()));
        }
        if (!areTaken) {
            each(CandidateFeed::wake);
        }
    }

    private boolean isTaken(ActivityCandidate candidate) {
        return feeds.entrySet().stream()
                .anyMatch(feed -> feed.getKey().suits(candidate.item().document())
                        && feed.getValue().offer(candidate));
    }

    /** An item is back in the queue from this time on, with its old place in the order. */
    void returned(String itemId, long visibleAtMillis) {
        each(feed -> {
            feed.include(itemId);
            feed.restart();
            if (visibleAtMillis > clock.millis()) {
                feed.wakeAt(visibleAtMillis);
            }
        });
    }

    private void each(Consumer<CandidateFeed<ActivityCandidate>> action) {
        feeds.values().forEach(action);
    }
}
