package io.sluice.provider.cosmos.work.desk;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.announcement.WorkStore;
import io.sluice.provider.cosmos.work.WorkLimits;
import org.jspecify.annotations.Nullable;

/** A feed, and the store of which it is to announce the work. */
public record StoreFeed(WorkFeed feed, WorkStore store) {
    /** What the feed asks for, if there is one. Activities need no help: a share group gives each to a free worker. */
    public static WorkLimits.FeedWaits waits(@Nullable StoreFeed announcements, WorkQueue queue) {
        return announcements == null
                ? WorkLimits.FeedWaits.AT_ONCE
                : new WorkLimits.FeedWaits(
                        announcements.feed().ownWorkAfter().toMillis(),
                        announcements.feed().completionsWithin().toMillis(),
                        queue == WorkQueue.TURNS && announcements.feed().takesHelpRequests());
    }
}
