package io.sluice.provider.cosmos.turn.work;

import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.AnnouncedOrchestration;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.search.QueueRows;
import io.sluice.provider.cosmos.search.RangeSearch;
import io.sluice.provider.cosmos.search.SearchRests;
import io.sluice.provider.cosmos.search.SlotScope;
import io.sluice.provider.cosmos.slot.SlotShare;
import io.sluice.provider.cosmos.slot.SlotSharing;
import io.sluice.provider.cosmos.turn.read.InstanceCache;
import io.sluice.provider.cosmos.turn.read.Messages;
import io.sluice.provider.cosmos.turn.read.ReadyMessages;
import io.sluice.provider.cosmos.work.DocumentKey;
import io.sluice.provider.cosmos.work.KnownWork;
import io.sluice.provider.cosmos.work.WorkCandidate;
import io.sluice.provider.cosmos.work.WorkFilter;
import io.sluice.provider.cosmos.work.WorkLimits;
import io.sluice.provider.cosmos.work.WorkNeeds;
import io.sluice.provider.cosmos.work.WorkOutcome;
import io.sluice.provider.cosmos.work.WorkSearch;
import io.sluice.provider.cosmos.work.desk.AnnouncedInput;
import io.sluice.provider.cosmos.work.desk.SlottedSearch;
import io.sluice.provider.cosmos.work.desk.StoreFeed;
import io.sluice.provider.cosmos.work.desk.WorkDesk;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The orchestrator queue by one index for all dispatchers of this process, whatever their filters. Thread-safe. */
public final class TurnDesk implements TurnQueue {
    private final ContainerRequests requests;
    private final QueueRows rows;
    private final Clocks clocks;
    private final SlotShare slots;
    private final InstanceCache remembered = new InstanceCache();
    private final AwaitedStarts waiting;
    private final TurnScreening screening;
    private final TurnQuery query;
    private final AtomicReference<Set<WorkFilter>> filters = new AtomicReference<>(Set.of());
    private final WorkDesk desk;

    /** Of this container; no request is made. */
    public TurnDesk(
            ContainerRequests requests,
            SlotSharing slots,
            @Nullable StoreFeed announcements,
            Clocks clocks,
            SearchRests rests) {
        this.requests = requests;
        this.rows = new QueueRows(DocumentType.ORCHESTRATOR_QUEUE, clocks.nanoTime());
        this.clocks = clocks;
        this.slots = slots.of("turns", "");
        this.waiting = new AwaitedStarts(clocks.clock());
        RangeSearch ranges = new RangeSearch(requests, clocks.nanoTime());
        this.screening = new TurnScreening(ranges, rows, clocks, waiting::contains, this::isAccepted);
        this.query = new TurnQuery(ranges, rows, clocks.clock(), waiting::contains, screening);
        this.desk = new WorkDesk(
                WorkLimits.of(WorkQueue.TURNS, rests.first(), rests.longest())
                        .with(StoreFeed.waits(announcements, WorkQueue.TURNS)),
                new SlottedSearch(this::search, this.slots, clocks.clock(), clocks.nanoTime()),
                announcements == null
                        ? null
                        : new AnnouncedInput(announcements, WorkQueue.TURNS, new Reading(), clocks.nanoTime()),
                clocks.clock(),
                clocks.nanoTime());
    }

    private final class Reading implements AnnouncedInput.Reading {
        @Override
        public String text(WorkFilter filter) {
            DispatcherCapabilityFilter capabilities = ((TurnFilter) filter).capabilities();
            return capabilities == null ? "" : capabilities.toString();
        }

        @Override
        public WorkNeeds needs(String instanceId, AnnouncedDocument document) {
            return isRunHere(instanceId) ? WorkNeeds.UNKNOWN : TurnDesk.needs(document);
        }

        @Override
        public boolean isStart(AnnouncedDocument document) {
            return document.isStart();
        }
    }

    /**
     * Whether this process runs the instance, or did so last as far as it knows: then nobody else knows better what its
     * next turn needs, and no message of it may be dropped without a look, since the next one would overtake it.
     */
    private boolean isRunHere(String instanceId) {
        return remembered.get(instanceId).isPresent() || desk.isHeld(instanceId);
    }

    private boolean isAccepted(WorkNeeds needs) {
        return desk.isAccepted(needs);
    }

    private SlottedSearch.Page search(Call call, WorkSearch.Request request, SlotScope scope) {
        if (!filters.getAndSet(request.filters()).containsAll(request.filters())) {
            screening.restart();
        }
        TurnFound.Page page = query.find(call, request.limit(), request.hidden(), scope);
        List<KnownWork> works = page.found().stream().map(TurnDesk::work).toList();
        return new SlottedSearch.Page(works, page.isExhaustive(), requests.knownRanges(), page.isPartial());
    }

    private static KnownWork work(TurnFound found) {
        List<AnnouncedDocument> documents =
                found.rows().stream().map(TurnRow::toAnnounced).toList();
        return new KnownWork(
                found.instanceId(),
                found.instanceId(),
                documents,
                WorkNeeds.UNKNOWN,
                0,
                found.isExhaustive() ? Long.MAX_VALUE : 0,
                "",
                found.rows().stream().anyMatch(TurnRow::isStart));
    }

    @Override
    public QueueRows rows() {
        return rows;
    }

    @Override
    public InstanceCache remembered() {
        return remembered;
    }

    @Override
    public Wait begin(Call call, TurnFilter filter, Duration longest) {
        return new DeskWait(call, desk.begin(filter, longest));
    }

    /** Used by one thread. */
    private final class DeskWait implements Wait {
        private final Call call;
        private final WorkDesk.Fetch fetch;

        DeskWait(Call call, WorkDesk.Fetch fetch) {
            this.call = call;
            this.fetch = fetch;
        }

        @Override
        public Optional<TurnCandidate> next() {
            return fetch.next(call).map(TurnDesk.this::candidate);
        }

        @Override
        public void conclude(TurnCandidate candidate, WorkOutcome outcome, @Nullable String startId) {
            boolean isFirst = false;
            if (outcome instanceof WorkOutcome.Unsuitable unsuitable && !isAccepted(unsuitable.needs())) {
                isFirst = screening.markUnsuitable(candidate.instanceId(), unsuitable.etag(), startId);
            } else if (outcome instanceof WorkOutcome.Locked || outcome instanceof WorkOutcome.Contended) {
                screening.markSuitable(candidate.instanceId());
            }
            fetch.conclude(outcome);
            if (isFirst) {
                // What was found with it may be no better: all of it is judged by one query.
                desk.restart();
            }
        }

        @Override
        public void close() {
            fetch.close();
        }
    }

    /** What is known of an instance; it has to be read where that may not be all, or is much. */
    private TurnCandidate candidate(WorkCandidate known) {
        String instanceId = known.instanceId();
        List<TurnRow> messages = known.documents().stream()
                .map(document -> TurnRow.announced(instanceId, document))
                .toList();
        // Of one that was set aside the messages that came before its start are known to nobody.
        boolean isSetAside = waiting.contains(instanceId);
        boolean isAwaited = isSetAside && messages.stream().anyMatch(TurnRow::isStart);
        if (isSetAside || known.knowledge() == WorkCandidate.Knowledge.OUTDATED || messages.isEmpty()) {
            return TurnCandidate.unread(instanceId, isAwaited);
        }
        if (known.isFound() && known.knowledge() == WorkCandidate.Knowledge.COMPLETE) {
            return TurnCandidate.found(new TurnFound(messages, true, false));
        }
        if (!TurnCandidate.areSmall(messages)) {
            return TurnCandidate.unread(instanceId, false);
        }
        if (known.knowledge() == WorkCandidate.Knowledge.COMPLETE) {
            return TurnCandidate.announced(messages);
        }
        // Nothing that was sent before a start has a place in the order.
        return !known.isFound()
                        && messages.size() == 1
                        && Messages.isFirst(messages.get(0).message())
                ? TurnCandidate.start(messages.get(0).message())
                : TurnCandidate.unread(instanceId, false);
    }

    @Override
    public void close() {
        desk.close();
    }

    @Override
    public void slowDown() {
        slots.raceLost();
    }

    @Override
    public void messageFor(String instanceId, long visibleAtMillis) {
        written(KnownWork.look(instanceId, visibleAtMillis, null));
    }

    /** What is announced to another process is left to it. */
    private void written(KnownWork work) {
        if (desk.isOwn(work.instanceId())) {
            desk.written(work);
        }
    }

    @Override
    public void queued(QueueDocument message) {
        boolean isStart = Messages.isStart(message);
        if (isStart && !waiting.contains(message.instanceId())) {
            allow(message.instanceId());
        }
        written(message);
    }

    private void written(QueueDocument message) {
        AnnouncedDocument document = AnnouncedDocument.of(message, AnnouncedDocument.ANY_VERSION);
        written(new KnownWork(
                message.instanceId(),
                message.instanceId(),
                List.of(document),
                needs(document),
                message.visibleAt(),
                0,
                null,
                document.isStart()));
    }

    /** The next execution needs what its start names. */
    private static WorkNeeds needs(AnnouncedDocument document) {
        AnnouncedOrchestration begun = document.orchestration();
        return begun == null ? WorkNeeds.UNKNOWN : WorkNeeds.ofTurn(begun.name(), begun.version(), null);
    }

    @Override
    public void timerFor(WorkItem.TimerFired timer) {
        messageFor(timer.routedInstance(), timer.visibleAtMillis(clocks.clock().millis()));
    }

    @Override
    public void messagesFor(String instanceId, @Nullable QueueDocument message) {
        if (message == null) {
            messageFor(instanceId, 0);
        } else {
            written(message);
        }
    }

    @Override
    public void allow(String instanceId) {
        waiting.forget(instanceId);
        desk.started(instanceId);
    }

    @Override
    public void queuedActivities(String instanceId, int activities) {
        desk.expectCompletions(instanceId, activities);
    }

    @Override
    public void completedActivity(String instanceId) {
        desk.completed(instanceId);
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
        desk.held(instanceId, untilMillis);
    }

    @Override
    public void acked(String instanceId, List<QueueDocument> messages) {
        waiting.forget(instanceId);
        Set<DocumentKey> consumed = messages.stream()
                .map(message -> DocumentKey.ofMessage(message.id(), message.enqueuedAt()))
                .collect(Collectors.toSet());
        desk.ended(instanceId, new WorkOutcome.Done(consumed, ReadyMessages.mayBeCut(messages)));
    }

    @Override
    public void lost(String instanceId) {
        waiting.forget(instanceId);
        desk.ended(instanceId, new WorkOutcome.Lost());
    }

    @Override
    public void putBack(String instanceId) {
        desk.ended(instanceId, new WorkOutcome.Returned(0));
    }
}
