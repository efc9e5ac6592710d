package io.sluice.provider.announcement;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A feed as one of several providers has it: closed, it ends that provider's subscriptions and no others. */
final class SharedWorkFeed implements WorkFeed {
    private final WorkFeed feed;
    private final Set<Subscription> open = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;

    SharedWorkFeed(WorkFeed feed) {
        this.feed = feed;
    }

    @Override
    public Subscription subscribe(WorkStore store, WorkQueue queue, String filter, Listener listener) {
        Subscription subscription = new OfOne(feed.subscribe(store, queue, filter, listener));
        open.add(subscription);
        if (isClosed) {
            subscription.close();
        }
        return subscription;
    }

    private final class OfOne implements Subscription {
        private final Subscription subscription;
        private volatile boolean isEnded;

        OfOne(Subscription subscription) {
            this.subscription = subscription;
        }

        @Override
        public boolean isHealthy() {
            return !isEnded && subscription.isHealthy();
        }

        @Override
        public boolean isOwn(String instanceId) {
            return subscription.isOwn(instanceId);
        }

        @Override
        public void request(int announcements) {
            subscription.request(announcements);
        }

        @Override
        public void askForHelp(Announcement announcement) {
            subscription.askForHelp(announcement);
        }

        @Override
        public void fetchBegan() {
            subscription.fetchBegan();
        }

        @Override
        public void fetchEnded() {
            subscription.fetchEnded();
        }

        @Override
        public void close() {
            isEnded = true;
            if (open.remove(this)) {
                subscription.close();
            }
        }
    }

    @Override
    public Duration ownWorkAfter() {
        return feed.ownWorkAfter();
    }

    @Override
    public Duration completionsWithin() {
        return feed.completionsWithin();
    }

    @Override
    public boolean takesHelpRequests() {
        return feed.takesHelpRequests();
    }

    @Override
    public void close() {
        isClosed = true;
        open.forEach(Subscription::close);
    }
}
