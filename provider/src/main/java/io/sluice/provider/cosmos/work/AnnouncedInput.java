package io.sluice.provider.cosmos.work;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Tells a desk what a feed announces, for each filter that its dispatchers use. Thread-safe. */
final class AnnouncedInput {
    private final WorkDesk desk;
    private final WorkFeed feed;
    private final WorkQueue queue;
    private final Function<WorkFilter, String> text;
    private final Function<AnnouncedDocument, WorkNeeds> needs;
    private final Map<String, WorkFeed.Subscription> subscriptions = new ConcurrentHashMap<>();

    /**
     * @param text stands for a filter, the same in every process
     * @param needs what a document needs, as far as its announcement says
     */
    AnnouncedInput(
            WorkDesk desk,
            WorkFeed feed,
            WorkQueue queue,
            Function<WorkFilter, String> text,
            Function<AnnouncedDocument, WorkNeeds> needs) {
        this.desk = desk;
        this.feed = feed;
        this.queue = queue;
        this.text = text;
        this.needs = needs;
    }

    /** A dispatcher with this filter begins to fetch. */
    void fetchBegan(WorkFilter filter) {
        subscriptions
                .computeIfAbsent(text.apply(filter), key -> feed.subscribe(queue, key, new Listener()))
                .fetchBegan();
        desk.healthy(isHealthy());
    }

    void fetchEnded(WorkFilter filter) {
        WorkFeed.Subscription subscription = subscriptions.get(text.apply(filter));
        if (subscription != null) {
            subscription.fetchEnded();
        }
    }

    boolean isHealthy() {
        return !subscriptions.isEmpty()
                && subscriptions.values().stream().allMatch(WorkFeed.Subscription::isHealthy);
    }

    /** Whether the work of this instance is announced to this process and no other. */
    boolean isOwn(String instanceId) {
        return subscriptions.values().stream().anyMatch(subscription -> subscription.isOwn(instanceId));
    }

    /** Workers are free for so many further activities. */
    void request(int activities) {
        subscriptions.values().forEach(subscription -> subscription.request(activities));
    }

    private final class Listener implements WorkFeed.Listener {
        @Override
        public void announced(Announcement announcement, WorkFeed.Receipt receipt) {
            desk.announced(announcement, receipt, AnnouncedInput.this);
        }

        @Override
        public void lost() {
            desk.lost();
        }

        @Override
        public void healthChanged() {
            desk.healthy(isHealthy());
        }
    }

    /** An activity of a session is announced to everybody, and comes once. */
    WorkIndex.Delivery delivery(Announcement announcement) {
        boolean isReturnable = queue == WorkQueue.ACTIVITIES
                && announcement.documents().stream().allMatch(document -> document.sessionId() == null);
        return isReturnable ? WorkIndex.Delivery.RETURNABLE : WorkIndex.Delivery.KEPT;
    }

    /** What is tried together, and due at one time; 0 for now. */
    private record Thing(String key, String version, long dueAt) {}

    /** What an announcement says. An activity is announced by its id: an instance alone names none. */
    List<KnownWork> works(Announcement announcement, long nowMillis) {
        String instanceId = announcement.instanceId();
        if (announcement.isCheck()) {
            return queue == WorkQueue.TURNS ? List.of(KnownWork.look(instanceId, 0, null).asked()) : List.of();
        }
        Map<Thing, List<AnnouncedDocument>> things = new LinkedHashMap<>();
        announcement.documents().forEach(document -> things.computeIfAbsent(
                        thing(instanceId, document, nowMillis), thing -> new ArrayList<>())
                .add(document));
        List<KnownWork> works = new ArrayList<>();
        things.forEach((thing, documents) -> works.add(new KnownWork(
                thing.key(),
                instanceId,
                documents,
                needs.apply(documents.get(0)),
                thing.dueAt(),
                completeUntil(announcement, thing, nowMillis),
                null,
                documents.stream().anyMatch(AnnouncedInput::isStart),
                true)));
        return works;
    }

    private static boolean isStart(AnnouncedDocument document) {
        return document.kind().equals("StartOrchestration") || document.kind().equals("ContinueAsNew");
    }

    /** No relay looks further ahead than the longest horizon: what is said to be due later is looked at then. */
    private Thing thing(String instanceId, AnnouncedDocument document, long nowMillis) {
        long dueAt = document.dueAt() <= nowMillis
                ? 0
                : Math.min(document.dueAt(), nowMillis + SearchPlan.LONGEST_HORIZON_MILLIS);
        return queue == WorkQueue.TURNS
                ? new Thing(instanceId, "", dueAt)
                : new Thing(document.id(), document.etag(), dueAt);
    }

    /** An activity is a candidate by itself. A horizon that is long over says no more than one that was never known. */
    private long completeUntil(Announcement announcement, Thing thing, long nowMillis) {
        if (queue == WorkQueue.ACTIVITIES) {
            return Long.MAX_VALUE;
        }
        long horizon = Math.min(announcement.horizon(), nowMillis + SearchPlan.LONGEST_HORIZON_MILLIS);
        return thing.dueAt() > 0 ? 0 : Math.max(0, horizon);
    }
}
