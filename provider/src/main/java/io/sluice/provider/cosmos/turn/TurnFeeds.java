package io.sluice.provider.cosmos.turn;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.candidate.CandidateFeed;
import io.sluice.provider.cosmos.candidate.CandidateFeeds;
import io.sluice.provider.cosmos.candidate.CandidateWait;
import io.sluice.provider.cosmos.candidate.Found;
import io.sluice.provider.cosmos.candidate.Knowledge;
import io.sluice.provider.cosmos.candidate.QueueRows;
import io.sluice.provider.cosmos.candidate.SearchRests;
import io.sluice.provider.cosmos.candidate.SearchTiming;
import io.sluice.provider.cosmos.candidate.TryOutcome;
import io.sluice.provider.cosmos.candidate.WorkSource;
import io.sluice.provider.cosmos.slot.SlotShare;
import io.sluice.provider.cosmos.slot.SlotSharing;
import io.sluice.provider.cosmos.turn.search.AwaitedStarts;
import io.sluice.provider.cosmos.turn.search.Clocks;
import io.sluice.provider.cosmos.work.WorkOutcome;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The orchestrator queue as this process's dispatchers see it: one feed per capability filter, since what is
 * incompatible for one dispatcher may suit another. Thread-safe.
 */
public final class TurnFeeds implements TurnQueue {
    private static final long REMEMBER_UNSUITABLE_MILLIS = 5_000;

    private final CandidateFeeds<Optional<DispatcherCapabilityFilter>, TurnCandidate> feeds =
            new CandidateFeeds<>(this::open);
    private final ConcurrentMap<Optional<DispatcherCapabilityFilter>, TurnScreening> screenings =
            new ConcurrentHashMap<>();
    private final AwaitedStarts waiting;
    private final ContainerRequests requests;
    private final QueueRows rows;
    private final SlotSharing slots;
    private final @Nullable WorkFeed announcements;
    private final Clocks clocks;
    private final SearchTiming timing;

    /**
     * Feeds from this container; no request is made.
     *
     * @param announcements null when none is announced
     */
    public TurnFeeds(
            ContainerRequests requests,
            SlotSharing slots,
            @Nullable WorkFeed announcements,
            Clocks clocks,
            SearchRests rests) {
        this.timing = new SearchTiming(clocks.nanoTime(), rests);
        this.requests = requests;
        this.rows = new QueueRows(DocumentType.ORCHESTRATOR_QUEUE, clocks.nanoTime());
        this.slots = slots;
        this.announcements = announcements;
        this.clocks = clocks;
        this.waiting = new AwaitedStarts(clocks.clock());
    }

    @Override
    public QueueRows rows() {
        return rows;
    }

    @Override
    public Wait begin(Call call, FetchRequest request, Duration longest) {
        Optional<DispatcherCapabilityFilter> filter =
                Optional.ofNullable(request.filter().capabilities());
        return new FeedWait(filter, feeds.of(filter).begin(call, longest));
    }

    private final class FeedWait implements Wait {
        private final Optional<DispatcherCapabilityFilter> filter;
        private final CandidateWait<TurnCandidate> wait;

        FeedWait(Optional<DispatcherCapabilityFilter> filter, CandidateWait<TurnCandidate> wait) {
            this.filter = filter;
            this.wait = wait;
        }

        @Override
        public Optional<TurnCandidate> next() {
            return wait.next()
                    .map(candidate ->
                            candidate.isUnread() || wait.isFresh(candidate) ? candidate : candidate.mayLackMessages());
        }

        @Override
        public void conclude(TurnCandidate candidate, FetchResult result) {
            WorkOutcome outcome = result.outcome();
            if (outcome instanceof WorkOutcome.Unsuitable unsuitable) {
                markUnsuitable(filter, candidate.instanceId(), unsuitable.etag(), result.startId());
                wait.giveBack(candidate, clocks.clock().millis() + REMEMBER_UNSUITABLE_MILLIS, TryOutcome.DONE);
            } else if (outcome instanceof WorkOutcome.Locked) {
                screening(filter).markSuitable(candidate.instanceId());
                wait.giveBack(candidate, 0, TryOutcome.LOCKED);
            } else if (outcome instanceof WorkOutcome.Returned returned) {
                wait.giveBack(candidate, returned.untilMillis(), TryOutcome.AGAIN);
            } else if (outcome instanceof WorkOutcome.Contended contended) {
                screening(filter).markSuitable(candidate.instanceId());
                wait.giveBack(candidate, contended.untilMillis(), TryOutcome.AGAIN);
            } else if (outcome instanceof WorkOutcome.Unstarted unstarted) {
                wait.giveBack(candidate, unstarted.untilMillis(), TryOutcome.DONE);
            } else if (outcome instanceof WorkOutcome.Broken broken) {
                wait.giveBack(candidate, broken.untilMillis(), TryOutcome.DONE);
            } else {
                wait.giveBack(candidate, 0, TryOutcome.DONE);
            }
        }

        @Override
        public void close() {}
    }

    @Override
    public void close() {
        feeds.close();
    }

    private CandidateFeed<TurnCandidate> open(Optional<DispatcherCapabilityFilter> filter) {
        TurnScreening screening = screening(filter);
        String text = filter.map(DispatcherCapabilityFilter::toString).orElse("");
        var source = new WorkSource<>(
                announcements, WorkQueue.TURNS, text, document -> true, this::candidate, requests::knownRanges);
        TurnQuery query = new TurnQuery(requests, rows, clocks.clock(), waiting::contains, screening);
        SlotShare share = slots.of("turns", filter.toString());
        return CandidateFeed.open(
                (call, limit, hidden, scope, sentAtNanos) -> found(query.find(call, limit, hidden, scope), sentAtNanos),
                share,
                source,
                clocks.clock(),
                timing);
    }

    private static Found<TurnCandidate> found(TurnFound.Page page, long sentAtNanos) {
        return new Found<>(
                page.found().stream()
                        .map(found -> TurnRow.candidate(found, sentAtNanos))
                        .toList(),
                page.isExhaustive());
    }

    /** What was announced of an instance; it has to be read where that may not be all, or is much. */
    private TurnCandidate candidate(
            String instanceId, List<AnnouncedDocument> documents, Knowledge knowledge, long atNanos) {
        List<TurnRow> rows = documents.stream()
                .collect(Collectors.toMap(AnnouncedDocument::id, Function.identity(), (older, newer) -> newer))
                .values()
                .stream()
                .map(document -> TurnRow.announced(instanceId, document))
                .toList();
        // Of one that was set aside the messages that came before its start are known to nobody.
        boolean isSetAside = waiting.contains(instanceId);
        boolean isAwaited = isSetAside && rows.stream().anyMatch(TurnRow::isStart);
        if (isSetAside || knowledge == Knowledge.OUTDATED || rows.isEmpty() || !TurnRow.areSmall(rows)) {
            return TurnCandidate.unread(instanceId, isAwaited, atNanos);
        }
        if (knowledge == Knowledge.COMPLETE) {
            return TurnRow.announcedCandidate(rows, atNanos);
        }
        // Nothing that was sent before a start has a place in the order.
        return rows.size() == 1 && Messages.isFirst(rows.get(0).message())
                ? TurnCandidate.start(rows.get(0).message(), atNanos)
                : TurnCandidate.unread(instanceId, isAwaited, atNanos);
    }

    private TurnScreening screening(Optional<DispatcherCapabilityFilter> filter) {
        return screenings.computeIfAbsent(
                filter,
                key -> new TurnScreening(
                        requests, rows, clocks, waiting::contains, new TurnFilter(filter.orElse(null))::accepts));
    }

    @Override
    public void slowDown() {
        feeds.each(CandidateFeed::raceLost);
    }

    private void markUnsuitable(
            Optional<DispatcherCapabilityFilter> filter, String instanceId, String etag, @Nullable String startId) {
        if (screening(filter).markUnsuitable(instanceId, etag, startId)) {
            // What was found with it may be no better: all of it is judged by one query.
            feeds.of(filter).restart();
        }
    }

    @Override
    public void messageFor(String instanceId, long visibleAtMillis) {
        messageFor(instanceId, null, visibleAtMillis);
    }

    private void messageFor(String instanceId, @Nullable QueueDocument message, long visibleAtMillis) {
        if (visibleAtMillis > clocks.clock().millis()) {
            feeds.each(feed -> {
                if (!feed.announced().lookAt(instanceId, message, visibleAtMillis)) {
                    feed.wakeAt(visibleAtMillis);
                }
            });
        } else {
            messagesFor(instanceId, message);
        }
    }

    @Override
    public void queued(QueueDocument message) {
        String instanceId = message.instanceId();
        boolean isStart = Messages.isStart(message);
        boolean isAwaited = isStart && waiting.contains(instanceId);
        if (isAwaited) {
            // It stays set aside until it is looked at: what came before its start is announced no more.
            feeds.each(feed -> feed.allow(instanceId));
        } else if (isStart) {
            allow(instanceId);
        }
        boolean isNow = message.visibleAt() <= clocks.clock().millis();
        if (!(isNow && isStart && !isAwaited && tryHandOver(message))) {
            messageFor(instanceId, message, message.visibleAt());
        }
    }

    /**
     * A start may be taken without a look at its instance, since nothing sent before has a place in the order. Where
     * work is searched for this serves the starts that created their instances: this process remembers these.
     */
    private boolean tryHandOver(QueueDocument start) {
        Collection<CandidateFeed<TurnCandidate>> open = feeds.open().values();
        if (open.size() != 1
                || !TurnRow.areSmall(List.of(new TurnRow(start, start.workItem().length())))) {
            return false;
        }
        CandidateFeed<TurnCandidate> feed = open.iterator().next();
        TurnCandidate candidate = TurnCandidate.start(start, clocks.nanoTime().getAsLong());
        return feed.announced().handOver(candidate)
                || (DocumentIds.isFirstMessage(start.id()) && feed.offer(candidate));
    }

    @Override
    public void timerFor(WorkItem.TimerFired timer) {
        messageFor(timer.routedInstance(), timer.visibleAtMillis(clocks.clock().millis()));
    }

    @Override
    public void messagesFor(String instanceId, @Nullable QueueDocument message) {
        // With several feeds it is not known which of them the instance suits.
        Collection<CandidateFeed<TurnCandidate>> open = feeds.open().values();
        boolean taken = open.size() == 1 && offer(open.iterator().next(), instanceId, message);
        if (!taken) {
            feeds.each(CandidateFeed::wake);
        }
    }

    private boolean offer(CandidateFeed<TurnCandidate> feed, String instanceId, @Nullable QueueDocument message) {
        return feed.announced().lookAt(instanceId, message, 0)
                || feed.offer(TurnCandidate.unread(
                        instanceId, false, clocks.nanoTime().getAsLong()));
    }

    @Override
    public void allow(String instanceId) {
        waiting.forget(instanceId);
        feeds.each(feed -> feed.allow(instanceId));
    }

    @Override
    public void queuedActivities(String instanceId, int activities) {
        feeds.each(feed -> feed.announced().expectCompletions(instanceId, activities));
    }

    @Override
    public void completedActivity(String instanceId) {
        feeds.each(feed -> feed.announced().completed(instanceId));
    }

    @Override
    public long setAside(String instanceId) {
        return waiting.setAside(instanceId);
    }

    @Override
    public void forgetStart(String instanceId) {
        waiting.forget(instanceId);
    }

    @Override
    public void exclude(String instanceId, long untilMillis) {
        waiting.forget(instanceId);
        feeds.each(feed -> feed.exclude(instanceId, untilMillis));
    }

    @Override
    public void acked(String instanceId, List<QueueDocument> messages) {
        // Where there are more messages than one batch locks, or large ones, some may be left.
        boolean mayBeMore = TurnRow.mayBeCut(messages);
        feeds.each(feed -> {
            if (mayBeMore) {
                feed.announced().retry(instanceId);
            } else {
                feed.announced().settle(instanceId, messages);
            }
        });
        release(instanceId);
    }

    @Override
    public void lost(String instanceId) {
        feeds.each(feed -> feed.announced().retry(instanceId));
        release(instanceId);
    }

    /**
     * Shows the instance again. Messages that this process put into its queue meanwhile are offered; others' are soon
     * looked for.
     */
    private void release(String instanceId) {
        waiting.forget(instanceId);
        boolean messaged = false;
        for (CandidateFeed<TurnCandidate> feed : feeds.open().values()) {
            messaged |= feed.release(instanceId);
        }
        if (messaged) {
            messagesFor(instanceId, null);
        }
    }

    @Override
    public void putBack(String instanceId) {
        feeds.putBack(instanceId);
    }
}
