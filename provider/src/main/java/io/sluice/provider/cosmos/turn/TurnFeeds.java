package io.sluice.provider.cosmos.turn;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.candidate.CandidateFeed;
import io.sluice.provider.cosmos.candidate.CandidateFeeds;
import io.sluice.provider.cosmos.candidate.Knowledge;
import io.sluice.provider.cosmos.candidate.QueueRows;
import io.sluice.provider.cosmos.candidate.SearchRests;
import io.sluice.provider.cosmos.candidate.SearchTiming;
import io.sluice.provider.cosmos.candidate.WorkSource;
import io.sluice.provider.cosmos.slot.SlotShare;
import io.sluice.provider.cosmos.slot.SlotSharing;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.work.WorkItem;
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
public final class TurnFeeds {
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

    /** Reads this queue's messages wherever they are read. */
    QueueRows rows() {
        return rows;
    }

    CandidateFeed<TurnCandidate> of(@Nullable DispatcherCapabilityFilter filter) {
        return feeds.of(Optional.ofNullable(filter));
    }

    /** Ends the waits of all dispatchers; nothing is handed out any more. */
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
        return CandidateFeed.open(query, share, source, clocks.clock(), timing);
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
                filter, key -> new TurnScreening(requests, rows, clocks, waiting::contains, filter.orElse(null)));
    }

    /** Another process was faster with an instance. */
    void slowDown() {
        feeds.each(CandidateFeed::raceLost);
    }

    /**
     * An instance that was found is pinned to a version that the filter does not take, or of an orchestration that it
     * does not name, by this version of its head.
     *
     * @param etag empty when it is not stored yet
     * @param startId the newest of its messages that begin an execution; null for none
     */
    void markUnsuitable(
            @Nullable DispatcherCapabilityFilter filter, String instanceId, String etag, @Nullable String startId) {
        if (screening(Optional.ofNullable(filter)).markUnsuitable(instanceId, etag, startId)) {
            // What was found with it may be no better: all of it is judged by one query.
            of(filter).restart();
        }
    }

    /** An instance of which a dispatcher with this filter takes a turn is shown to such dispatchers from now on. */
    void markSuitable(@Nullable DispatcherCapabilityFilter filter, String instanceId) {
        screening(Optional.ofNullable(filter)).markSuitable(instanceId);
    }

    /** A message became visible, or will. */
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

    /** This process has put the message into the queue of its instance. */
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

    /** A timer was set for its instance. */
    void timerFor(WorkItem.TimerFired timer) {
        messageFor(timer.routedInstance(), timer.visibleAtMillis(clocks.clock().millis()));
    }

    /** Messages that may be taken now have come for an instance. */
    public void messagesFor(String instanceId) {
        messagesFor(instanceId, null);
    }

    void messagesFor(String instanceId, @Nullable QueueDocument message) {
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

    /** The instance may have been set aside for want of a start, which is coming. */
    public void allow(String instanceId) {
        waiting.forget(instanceId);
        feeds.each(feed -> feed.allow(instanceId));
    }

    /** The turn of the instance that ends now has queued so many activities. */
    void queuedActivities(String instanceId, int activities) {
        feeds.each(feed -> feed.announced().expectCompletions(instanceId, activities));
    }

    /** This process has completed an activity of the instance. */
    void completedActivity(String instanceId) {
        feeds.each(feed -> feed.announced().completed(instanceId));
    }

    /** A message came for the instance, which is shown again, whatever was seen of it before. */
    void arrived(String instanceId, @Nullable QueueDocument message) {
        allow(instanceId);
        messagesFor(instanceId, message);
    }

    /** A start for an instance that may have been set aside for want of it. */
    public void startFor(String instanceId) {
        arrived(instanceId, null);
    }

    /**
     * The instance was looked at, and lacks its start. Returns until when it is not worth another look, unless its
     * start comes.
     */
    long setAside(String instanceId) {
        return waiting.setAside(instanceId);
    }

    /** The start that an instance was set aside for is there; whatever comes of it, it is not shown for it again. */
    void forgetStart(String instanceId) {
        waiting.forget(instanceId);
    }

    /** The instance is not shown until then: this process holds it. */
    void exclude(String instanceId, long untilMillis) {
        waiting.forget(instanceId);
        feeds.each(feed -> feed.exclude(instanceId, untilMillis));
    }

    /**
     * The turn of these messages was acked: the instance is shown again. Where there are more messages than one batch
     * locks, or large ones, some may be left.
     */
    void acked(String instanceId, List<QueueDocument> messages) {
        boolean mayBeMore = messages.size() >= BatchWrite.MAX_OPERATIONS - 1 || TurnRow.mayBeCut(messages);
        feeds.each(feed -> {
            if (mayBeMore) {
                feed.announced().retry(instanceId);
            } else {
                feed.announced().settle(instanceId, messages);
            }
        });
        release(instanceId);
    }

    /** The lock of the instance is lost: it is shown again. */
    void lost(String instanceId) {
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
            messagesFor(instanceId);
        }
    }

    /** Shows the instance again, with the messages it had before. */
    void putBack(String instanceId) {
        feeds.putBack(instanceId);
    }
}
