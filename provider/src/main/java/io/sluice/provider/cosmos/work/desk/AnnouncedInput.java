package io.sluice.provider.cosmos.work.desk;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.work.KnownWork;
import io.sluice.provider.cosmos.work.WorkFilter;
import io.sluice.provider.cosmos.work.WorkMoment;
import io.sluice.provider.cosmos.work.WorkNeeds;
import io.sluice.provider.cosmos.work.index.WorkIndex;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Listens to a feed for each filter that the dispatchers of a desk use. Every subscription with another filter gets all
 * announcements, so that what suits no filter here is left to others. Thread-safe.
 */
public final class AnnouncedInput {
    private final StoreFeed announcements;
    private final WorkQueue queue;
    private final Reading reading;
    private final LongSupplier nanoTime;
    private final UnreadableActivities unreadable;
    private final Map<String, FilterInput> inputs = new ConcurrentHashMap<>();

    /**
     * Listens to nothing yet.
     *
     * @param nanoTime the monotonic clock
     */
    public AnnouncedInput(StoreFeed announcements, WorkQueue queue, Reading reading, LongSupplier nanoTime) {
        this.announcements = announcements;
        this.queue = queue;
        this.reading = reading;
        this.nanoTime = nanoTime;
        this.unreadable = new UnreadableActivities(nanoTime);
    }

    /** What the words of a queue mean. */
    public interface Reading {
        /** Stands for a filter, the same in every process. */
        String text(WorkFilter filter);

        /** What a document needs, as far as its announcement says. */
        WorkNeeds needs(String instanceId, AnnouncedDocument document);

        /** Whether it begins an execution. */
        boolean isStart(AnnouncedDocument document);
    }

    /** What the announcements are told to. */
    interface Listener {
        /** As {@link WorkIndex#announced}. */
        void announced(
                Function<WorkMoment, List<KnownWork>> works,
                WorkFeed.Receipt receipt,
                WorkFilter toldTo,
                WorkIndex.Delivery delivery);

        /** As {@link WorkIndex#lost}. */
        void lost();

        /** {@link #isHealthy} may have changed. */
        void healthChanged();

        /** As {@link WorkIndex#joined}. */
        void joined();
    }

    /** A dispatcher with this filter begins to fetch. */
    void fetchBegan(WorkFilter filter, Listener listener) {
        long now = nanoTime.getAsLong();
        FilterInput input = inputs.compute(
                reading.text(filter),
                (text, known) ->
                        known != null && known.begin(now) ? known : begun(text, new Forward(filter, listener), now));
        input.subscription().fetchBegan();
        closeUnused(now);
        if (input.isJoining(now)) {
            listener.joined();
        }
    }

    private FilterInput begun(String filter, WorkFeed.Listener listener, long now) {
        var subscription = announcements.feed().subscribe(announcements.store(), queue, filter, listener);
        var input = new FilterInput(subscription, now);
        var unused = input.begin(now);
        return input;
    }

    /** Never the last one: this is called when one is in use. */
    private void closeUnused(long now) {
        inputs.forEach((text, input) -> {
            if (input.endUnused(now)) {
                inputs.remove(text, input);
                input.subscription().close();
            }
        });
    }

    /** Such a fetch has ended. */
    void fetchEnded(WorkFilter filter) {
        FilterInput input = inputs.get(reading.text(filter));
        if (input != null) {
            input.subscription().fetchEnded();
            input.ended(nanoTime.getAsLong());
        }
    }

    /**
     * Whether all that comes for the filters in use is announced, and can be read. One that comes into use beside
     * others makes nobody query but itself: its fetches do as they begin, and when the feed listens for it.
     */
    boolean isHealthy() {
        if (unreadable.hasRecent()) {
            return false;
        }
        long now = nanoTime.getAsLong();
        List<FilterInput> used =
                inputs.values().stream().filter(input -> input.isInUse(now)).toList();
        return used.stream().anyMatch(FilterInput::isHealthy)
                && used.stream().allMatch(input -> input.isHealthy() || input.isJoining(now));
    }

    /** When {@link #isHealthy} changes though the feed says nothing; {@link Long#MAX_VALUE} for never. */
    long nanosUntilOverdue() {
        long now = nanoTime.getAsLong();
        return inputs.values().stream()
                .mapToLong(input -> input.nanosUntilOverdue(now))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Whether the work of this instance is announced to this process, and to no other with one of its filters. */
    boolean isOwn(String instanceId) {
        return inputs.values().stream().anyMatch(input -> input.subscription().isOwn(instanceId));
    }

    /** Dispatchers with this filter are free for so many further announcements that may go to another process. */
    void request(WorkFilter filter, int announcements) {
        FilterInput input = inputs.get(reading.text(filter));
        if (input != null) {
            input.request(filter, announcements);
        }
    }

    /** Asks processes of all filters for help with a turn. */
    void askForHelp(KnownWork work) {
        inputs.values().stream()
                .findAny()
                .ifPresent(input ->
                        input.subscription().askForHelp(Announcement.of(work.instanceId(), 0, work.documents())));
    }

    private final class Forward implements WorkFeed.Listener {
        private final WorkFilter filter;
        private final Listener listener;

        Forward(WorkFilter filter, Listener listener) {
            this.filter = filter;
            this.listener = listener;
        }

        @Override
        public boolean isForFilter(Announcement announcement) {
            return announcement.isCheck()
                    || announcement.documents().stream()
                            .map(document -> reading.needs(announcement.instanceId(), document))
                            .anyMatch(needs -> needs.maySuit(filter));
        }

        @Override
        public void announced(Announcement announcement, WorkFeed.Receipt receipt) {
            hear(announcement, receipt, delivery(announcement));
        }

        @Override
        public void helpAsked(Announcement announcement, WorkFeed.Receipt receipt) {
            hear(announcement, receipt, WorkIndex.Delivery.HELP);
        }

        private void hear(Announcement announcement, WorkFeed.Receipt receipt, WorkIndex.Delivery delivery) {
            if (queue == WorkQueue.ACTIVITIES && announcement.isCheck()) {
                unreadable.heard(announcement);
                listener.healthChanged();
            }
            listener.announced(now -> works(announcement, now.millis()), receipt, filter, delivery);
        }

        @Override
        public void lost() {
            listener.lost();
        }

        @Override
        public void healthChanged() {
            FilterInput input = inputs.get(reading.text(filter));
            if (input != null && input.noteJoined()) {
                listener.joined();
            }
            listener.healthChanged();
        }
    }

    /** An activity of a session is announced to everybody, and comes once. */
    private WorkIndex.Delivery delivery(Announcement announcement) {
        boolean isReturnable = queue == WorkQueue.ACTIVITIES
                && announcement.documents().stream().allMatch(document -> document.sessionId() == null);
        return isReturnable ? WorkIndex.Delivery.RETURNABLE : WorkIndex.Delivery.KEPT;
    }

    /** What is tried together, and due at one time; 0 for now. */
    private record Thing(String key, String version, long dueAt) {}

    /** What an announcement says. An activity is announced by its id: an instance alone names none. */
    private List<KnownWork> works(Announcement announcement, long nowMillis) {
        String instanceId = announcement.instanceId();
        if (announcement.isCheck()) {
            return queue == WorkQueue.TURNS ? List.of(KnownWork.look(instanceId, 0, null)) : List.of();
        }
        Map<Thing, List<AnnouncedDocument>> things = new LinkedHashMap<>();
        announcement
                .documents()
                .forEach(document -> things.computeIfAbsent(
                                thing(instanceId, document, nowMillis), thing -> new ArrayList<>())
                        .add(document));
        List<KnownWork> works = new ArrayList<>();
        things.forEach((thing, documents) -> works.add(new KnownWork(
                thing.key(),
                instanceId,
                documents,
                needs(instanceId, documents),
                thing.dueAt(),
                completeUntil(announcement, thing, nowMillis),
                announcement.token(),
                documents.stream().anyMatch(reading::isStart))));
        return works;
    }

    /** A start says what the next turn needs, whatever came before it; where documents disagree, a look finds out. */
    private WorkNeeds needs(String instanceId, List<AnnouncedDocument> documents) {
        List<AnnouncedDocument> starts =
                documents.stream().filter(reading::isStart).toList();
        List<WorkNeeds> all = (starts.isEmpty() ? documents : starts)
                .stream()
                        .map(document -> reading.needs(instanceId, document))
                        .distinct()
                        .toList();
        return all.size() == 1 ? all.get(0) : WorkNeeds.UNKNOWN;
    }

    /** No relay looks further ahead than the longest horizon: what is said to be due later is looked at then. */
    private Thing thing(String instanceId, AnnouncedDocument document, long nowMillis) {
        long dueAt = document.dueAt() <= nowMillis
                ? 0
                : Math.min(document.dueAt(), nowMillis + KnownWork.LONGEST_HORIZON.toMillis());
        return queue == WorkQueue.TURNS
                ? new Thing(instanceId, "", dueAt)
                : new Thing(document.id(), document.etag(), dueAt);
    }

    /** An activity is a candidate by itself. A horizon that is long over says no more than one that was never known. */
    private long completeUntil(Announcement announcement, Thing thing, long nowMillis) {
        if (queue == WorkQueue.ACTIVITIES) {
            return Long.MAX_VALUE;
        }
        long horizon = Math.min(announcement.horizon(), nowMillis + KnownWork.LONGEST_HORIZON.toMillis());
        return thing.dueAt() > 0 ? 0 : Math.max(0, horizon);
    }
}
