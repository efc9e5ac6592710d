package io.sluice.provider.feed;

import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.announcement.WorkStore;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A feed that announces what a test says, to one process. Thread-safe. */
public final class ManualWorkFeed implements WorkFeed {
    private final Map<WorkQueue, Listener> listeners = new EnumMap<>(WorkQueue.class);
    private final List<String> subscribed = new CopyOnWriteArrayList<>();
    private final List<String> everSubscribed = new CopyOnWriteArrayList<>();
    private final List<Announcement> helpAsked = new CopyOnWriteArrayList<>();
    private final List<Integer> requested = new CopyOnWriteArrayList<>();
    private final Set<String> unheard = ConcurrentHashMap.newKeySet();
    private volatile boolean isHealthy = true;
    private volatile Duration ownWorkAfter = Duration.ZERO;
    private volatile Duration completionsWithin = Duration.ZERO;

    /** One announcement, and what became of it. */
    public static final class Announced implements Receipt {
        private volatile boolean isHandled;
        private volatile boolean isReturned;
        private volatile boolean isCurrent = true;

        @Override
        public void handled() {
            checkOpen();
            isHandled = true;
        }

        @Override
        public void returned() {
            checkOpen();
            isReturned = true;
        }

        private void checkOpen() {
            if (isHandled || isReturned) {
                throw new IllegalStateException("answered twice");
            }
        }

        @Override
        public boolean isCurrent() {
            return isCurrent;
        }

        public boolean isHandled() {
            return isHandled;
        }

        public boolean isReturned() {
            return isReturned;
        }

        /** From now on another process has it. */
        public void revoke() {
            isCurrent = false;
        }
    }

    /** From the next subscription on, messages of the process itself wait so long for their announcement. */
    public void setOwnWorkAfter(Duration wait) {
        ownWorkAfter = wait;
    }

    @Override
    public Duration ownWorkAfter() {
        return ownWorkAfter;
    }

    /** From the next subscription on, turns wait so long for completions. */
    public void setCompletionsWithin(Duration wait) {
        completionsWithin = wait;
    }

    @Override
    public Duration completionsWithin() {
        return completionsWithin;
    }

    @Override
    public synchronized Subscription subscribe(WorkStore store, WorkQueue queue, String filter, Listener listener) {
        listeners.put(queue, listener);
        subscribed.add(filter);
        everSubscribed.add(filter);
        return new Subscription() {
            @Override
            public boolean isHealthy() {
                return isHealthy && !unheard.contains(filter);
            }

            @Override
            public boolean isOwn(String instanceId) {
                return queue == WorkQueue.TURNS;
            }

            @Override
            public void request(int announcements) {
                requested.add(announcements); // a test announces when it likes
            }

            @Override
            public void askForHelp(Announcement announcement) {
                helpAsked.add(announcement);
            }

            @Override
            public void close() {
                subscribed.remove(filter);
            }
        };
    }

    /** The filters of all subscriptions that are not closed, in their order. */
    public List<String> subscribed() {
        return List.copyOf(subscribed);
    }

    /** What other processes were asked for help with. */
    public List<Announcement> helpAsked() {
        return List.copyOf(helpAsked);
    }

    /** The same with those that are closed. */
    public List<String> everSubscribed() {
        return List.copyOf(everSubscribed);
    }

    /** For how many announcements dispatchers were said to be free, each time. */
    public List<Integer> requested() {
        return List.copyOf(requested);
    }

    /** Announces; the process has subscribed by its first fetch. */
    public Announced announce(WorkQueue queue, Announcement announcement) {
        Announced receipt = new Announced();
        listener(queue).announced(announcement, receipt);
        return receipt;
    }

    /** Whether the process says that this is for the filter it subscribed with last. */
    public boolean isForFilter(WorkQueue queue, Announcement announcement) {
        return listener(queue).isForFilter(announcement);
    }

    /** Announcements of turns were lost. */
    public void lose() {
        listener(WorkQueue.TURNS).lost();
    }

    public void setHealthy(boolean healthy) {
        isHealthy = healthy;
        List.copyOf(listeners.values()).forEach(Listener::healthChanged);
    }

    /** Whether it listens for a filter; the subscription for it may come later. */
    public void setListening(String filter, boolean isListening) {
        boolean isChanged = isListening ? unheard.remove(filter) : unheard.add(filter);
        if (isChanged) {
            List.copyOf(listeners.values()).forEach(Listener::healthChanged);
        }
    }

    private synchronized Listener listener(WorkQueue queue) {
        Listener listener = listeners.get(queue);
        if (listener == null) {
            throw new IllegalStateException("nobody has fetched from " + queue);
        }
        return listener;
    }

    @Override
    public void close() {
        setHealthy(false);
    }
}
