package io.sluice.provider.cosmos.activity;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.candidate.CandidateFeed;
import io.sluice.provider.cosmos.candidate.CandidateFeeds;
import io.sluice.provider.cosmos.candidate.CandidateWait;
import io.sluice.provider.cosmos.candidate.QueueRows;
import io.sluice.provider.cosmos.candidate.SearchTiming;
import io.sluice.provider.cosmos.candidate.TryOutcome;
import io.sluice.provider.cosmos.candidate.WorkSource;
import io.sluice.provider.cosmos.slot.SlotSharing;
import io.sluice.provider.cosmos.work.WorkOutcome;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The worker queue as this process's workers see it: one feed per view. Thread-safe. */
public final class WorkerFeeds implements ActivityQueue {
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

    @Override
    public QueueRows rows() {
        return rows;
    }

    @Override
    public Wait begin(Call call, WorkerFilter filter, Duration longest) {
        CandidateFeed<ActivityCandidate> feed = feeds.of(new WorkerQueueView(filter.tags(), filter.owner() != null));
        return new FeedWait(
                feed, filter.owner() == null ? feed.begin(call, longest) : feed.begin(call, longest, filter.owner()));
    }

    private static final class FeedWait implements Wait {
        private final CandidateFeed<ActivityCandidate> feed;
        private final CandidateWait<ActivityCandidate> wait;

        FeedWait(CandidateFeed<ActivityCandidate> feed, CandidateWait<ActivityCandidate> wait) {
            this.feed = feed;
            this.wait = wait;
        }

        @Override
        public Optional<ActivityCandidate> next() {
            return wait.next();
        }

        @Override
        public void conclude(ActivityCandidate candidate, ActivityResult result) {
            if (result.locked() != null) {
                feed.announced().outdated(candidate.item());
            }
            WorkOutcome outcome = result.outcome();
            if (outcome instanceof WorkOutcome.Returned returned) {
                wait.giveBack(candidate, returned.untilMillis(), TryOutcome.AGAIN);
            } else if (outcome instanceof WorkOutcome.Broken broken) {
                wait.giveBack(candidate, broken.untilMillis(), TryOutcome.DONE);
            } else if (outcome instanceof WorkOutcome.Unsuitable unsuitable) {
                leave(candidate, unsuitable);
            } else {
                long until = outcome instanceof WorkOutcome.Done done ? done.shownUntilMillis() : 0;
                wait.giveBack(candidate, until, TryOutcome.DONE);
            }
        }

        /**
         * One that was announced is tried once more when the owner's claim would lapse. If that was renewed, the owner
         * lives; should it die later, the relay announces what is overdue.
         */
        private void leave(ActivityCandidate candidate, WorkOutcome.Unsuitable unsuitable) {
            String owner = unsuitable.needs().owner();
            if (owner == null || owner.isEmpty()) {
                wait.giveBack(candidate, unsuitable.untilMillis(), TryOutcome.DONE);
                return;
            }
            boolean isSecondTry = candidate.found() == ActivityCandidate.Found.TRIED;
            wait.leaveTo(owner, candidate, unsuitable.untilMillis(), isSecondTry ? TryOutcome.DONE : TryOutcome.AGAIN);
        }

        @Override
        public void close() {}
    }

    @Override
    public void close() {
        feeds.close();
    }

    @Override
    public void slowDown() {
        feeds.each(CandidateFeed::raceLost);
    }

    /**
     * Announces activities that were queued. Workers who wait are given those that are known, the others have to ask;
     * where work is announced, the next worker is given them.
     *
     * @param known all of them with their versions, or none
     */
    @Override
    public void announce(List<Stored<QueueDocument>> known) {
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

    @Override
    public void putBack(QueueDocument item, long visibleAtMillis) {
        feeds.putBack(item.id());
        if (visibleAtMillis > clock.millis()) {
            feeds.each(feed -> {
                if (!feed.announced().isAnnounced()) {
                    feed.wakeAt(visibleAtMillis);
                }
            });
        }
    }
}
