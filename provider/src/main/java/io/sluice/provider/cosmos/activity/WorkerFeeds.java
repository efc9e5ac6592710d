package io.sluice.provider.cosmos.activity;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.candidate.CandidateFeed;
import io.sluice.provider.cosmos.candidate.CandidateFeeds;
import io.sluice.provider.cosmos.candidate.QueueRows;
import io.sluice.provider.cosmos.candidate.SearchTiming;
import io.sluice.provider.cosmos.candidate.WorkSource;
import io.sluice.provider.cosmos.slot.SlotSharing;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.ContainerRequests;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The worker queue as this process's workers see it: one feed per view. Thread-safe. */
public final class WorkerFeeds {
    private static final int MOST_KEPT_CHARACTERS = 8_192;

    private final CandidateFeeds<WorkerQueueView, ActivityCandidate> feeds;
    private final QueueRows rows;
    private final InstantSource clock;
    private final LongSupplier nanoTime;

    /**
     * Feeds from this container; no request is made.
     *
     * @param announcements null when none is announced
     */
    public WorkerFeeds(
            ContainerRequests requests,
            SlotSharing slots,
            @Nullable WorkFeed announcements,
            InstantSource clock,
            SearchTiming timing) {
        this.rows = new QueueRows(DocumentType.WORKER_QUEUE, timing.nanoTime());
        this.clock = clock;
        this.nanoTime = timing.nanoTime();
        this.feeds = new CandidateFeeds<>(view -> CandidateFeed.open(
                view.query(requests, rows, clock),
                slots.of("activities", view.wanted()),
                new WorkSource<>(
                        announcements,
                        WorkQueue.ACTIVITIES,
                        view.filter(),
                        view::wants,
                        ActivityCandidate::announced,
                        requests::knownRanges),
                clock,
                timing));
    }

    /** Reads this queue's items wherever they are read. */
    QueueRows rows() {
        return rows;
    }

    CandidateFeed<ActivityCandidate> of(WorkerQueueView view) {
        return feeds.of(view);
    }

    /** Ends the waits of all workers; nothing is handed out any more. */
    void close() {
        feeds.close();
    }

    /** Another process was faster with an activity. */
    void slowDown() {
        feeds.each(CandidateFeed::raceLost);
    }

    /**
     * Announces activities that were queued. Workers who wait are given those that are known, the others have to ask;
     * where work is announced, the next worker is given them.
     *
     * @param known all of them with their versions, or none
     */
    void announce(List<Stored<QueueDocument>> known) {
        boolean areTaken = !known.isEmpty();
        for (var activity : known) {
            areTaken &= tryHandOver(ActivityCandidate.seen(activity, 0, nanoTime.getAsLong()));
        }
        if (!areTaken) {
            feeds.each(CandidateFeed::wake);
        }
    }

    private boolean tryHandOver(ActivityCandidate candidate) {
        return feeds.open().entrySet().stream()
                .anyMatch(feed -> feed.getKey().suits(candidate.item().document())
                        && (tryKeep(feed.getValue(), candidate)
                                || feed.getValue().offer(candidate)));
    }

    /**
     * Not those of sessions, which are announced to every process whether one of its workers waits or not, nor those
     * that would fill the memory.
     */
    private static boolean tryKeep(CandidateFeed<ActivityCandidate> feed, ActivityCandidate candidate) {
        QueueDocument activity = candidate.item().document();
        return activity.sessionId() == null
                && activity.workItem().length() <= MOST_KEPT_CHARACTERS
                && feed.announced().keep(candidate);
    }

    /** Shows an item again from this time on, with its old place in the order. */
    void putBack(String itemId, long visibleAtMillis) {
        feeds.putBack(itemId);
        if (visibleAtMillis > clock.millis()) {
            feeds.each(feed -> {
                if (!feed.announced().isAnnounced()) {
                    feed.wakeAt(visibleAtMillis);
                }
            });
        }
    }
}
