package io.sluice.provider.cosmos.activity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.search.QueueRows;
import io.sluice.provider.cosmos.search.SearchTiming;
import io.sluice.provider.cosmos.slot.SlotShare;
import io.sluice.provider.cosmos.slot.SlotSharing;
import io.sluice.provider.cosmos.work.DocumentKey;
import io.sluice.provider.cosmos.work.WorkCandidate;
import io.sluice.provider.cosmos.work.WorkFilter;
import io.sluice.provider.cosmos.work.WorkLimits;
import io.sluice.provider.cosmos.work.WorkNeeds;
import io.sluice.provider.cosmos.work.desk.AnnouncedInput;
import io.sluice.provider.cosmos.work.desk.SlottedSearch;
import io.sluice.provider.cosmos.work.desk.StoreFeed;
import io.sluice.provider.cosmos.work.desk.WorkDesk;
import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The worker queue by one index for all workers of this process, whatever their filters. Thread-safe. */
public final class WorkerDesk implements ActivityQueue {
    private static final int MOST_KEPT = 1_000;
    private static final int MOST_KEPT_CHARACTERS = 8_192;

    private final QueueRows rows;
    private final OthersSessions others;
    private final SlotShare slots;
    private final WorkDesk desk;
    /** What this process queued last, whole: the lock then has not to bring it. */
    private final Cache<DocumentKey, Stored<QueueDocument>> own =
            Caffeine.newBuilder().maximumSize(MOST_KEPT).build();

    /** Of this container; no request is made. */
    public WorkerDesk(
            ContainerRequests requests,
            SlotSharing slots,
            @Nullable StoreFeed announcements,
            InstantSource clock,
            SearchTiming timing) {
        this.rows = new QueueRows(DocumentType.WORKER_QUEUE, timing.nanoTime());
        this.others = new OthersSessions(clock);
        this.slots = slots.of("activities", "");
        this.desk = new WorkDesk(
                WorkLimits.of(
                                WorkQueue.ACTIVITIES,
                                timing.rests().first(),
                                timing.rests().longest())
                        .with(StoreFeed.waits(announcements, WorkQueue.ACTIVITIES)),
                new SlottedSearch(
                        new WorkerSearch(requests, rows, others, clock, timing.nanoTime()),
                        this.slots,
                        clock,
                        timing.nanoTime()),
                announcements == null
                        ? null
                        : new AnnouncedInput(announcements, WorkQueue.ACTIVITIES, new Reading(), timing.nanoTime()),
                clock,
                timing.nanoTime());
    }

    private static final class Reading implements AnnouncedInput.Reading {
        @Override
        public String text(WorkFilter filter) {
            WorkerFilter worker = (WorkerFilter) filter;
            return new WorkerQueueView(worker.tags(), worker.owner() != null).filter();
        }

        @Override
        public WorkNeeds needs(String instanceId, AnnouncedDocument document) {
            return WorkerFilter.needs(document);
        }

        @Override
        public boolean isStart(AnnouncedDocument document) {
            return false;
        }
    }

    @Override
    public QueueRows rows() {
        return rows;
    }

    @Override
    public OthersSessions others() {
        return others;
    }

    @Override
    public Wait begin(Call call, WorkerFilter filter, Duration longest) {
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
        public Optional<ActivityCandidate> next() {
            return fetch.next(call).map(WorkerDesk.this::candidate);
        }

        @Override
        public void conclude(ActivityCandidate candidate, ActivityResult result) {
            fetch.conclude(result.outcome());
        }

        @Override
        public void close() {
            fetch.close();
        }
    }

    /** The newest version that is known of it. */
    private ActivityCandidate candidate(WorkCandidate known) {
        AnnouncedDocument newest = known.documents().get(known.documents().size() - 1);
        Stored<QueueDocument> kept = own.getIfPresent(DocumentKey.of(WorkQueue.ACTIVITIES, newest));
        if (kept != null) {
            return ActivityCandidate.seen(kept, 0);
        }
        Stored<QueueDocument> item = newest.toQueueDocument(WorkQueue.ACTIVITIES, known.instanceId());
        boolean isToBeRead = known.knowledge() == WorkCandidate.Knowledge.OUTDATED
                || newest.etag().equals(AnnouncedDocument.ANY_VERSION);
        ActivityCandidate.Found found = isToBeRead
                ? ActivityCandidate.Found.TRIED
                : known.isTold() ? ActivityCandidate.Found.ANNOUNCED : ActivityCandidate.Found.SEEN;
        return new ActivityCandidate(item, Math.max(1, newest.workItemLength()), found);
    }

    @Override
    public void close() {
        desk.close();
    }

    @Override
    public void slowDown() {
        slots.raceLost();
        desk.raceLost();
    }

    @Override
    public void announce(List<Stored<QueueDocument>> known) {
        if (known.isEmpty()) {
            desk.missed();
        }
        known.forEach(item -> {
            if (item.document().workItem().length() <= MOST_KEPT_CHARACTERS) {
                own.put(DocumentKey.ofActivity(item.document().id(), item.etag()), item);
            }
            desk.written(WorkerSearch.work(item, 0));
        });
    }

    @Override
    public void putBack(QueueDocument item, long visibleAtMillis) {
        if (desk.isAnnounced()) {
            return;
        }
        desk.written(WorkerSearch.work(new Stored<>(item, AnnouncedDocument.ANY_VERSION), 0)
                .dueAgainAt(visibleAtMillis));
    }
}
