package io.sluice.provider.feed;

import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkFeed;

/** One subscription of one process. */
final class Member {
    private final ChangeFeedWorkFeed feed;
    private final WorkFeed.Listener listener;
    private int wanted;

    Member(ChangeFeedWorkFeed feed, WorkFeed.Listener listener) {
        this.feed = feed;
        this.listener = listener;
    }

    boolean isOf(ChangeFeedWorkFeed process) {
        return feed == process;
    }

    WorkFeed.Listener listener() {
        return listener;
    }

    Runnable delivery(Announcement announcement, WorkFeed.Receipt receipt) {
        return () -> listener.announced(announcement, receipt);
    }

    synchronized void want(int activities) {
        wanted = activities;
    }

    /** Takes one of the announcements that it has room for, if there is one. */
    synchronized boolean tryTake() {
        if (wanted <= 0) {
            return false;
        }
        wanted--;
        return true;
    }
}
