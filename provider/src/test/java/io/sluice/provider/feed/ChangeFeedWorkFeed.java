package io.sluice.provider.feed;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.announcement.WorkStore;
import java.time.Duration;

/** The feed of one process; see {@link ChangeFeedAnnouncer#join}. */
public final class ChangeFeedWorkFeed implements WorkFeed {
    /** What a broker without share groups gives. */
    private static final Subscription NOTHING = new Subscription() {
        @Override
        public boolean isHealthy() {
            return false;
        }

        @Override
        public boolean isOwn(String instanceId) {
            return false;
        }

        @Override
        public void request(int activities) {
            // Nothing comes.
        }
    };

    private final ChangeFeedAnnouncer announcer;
    private final boolean hasActivities;
    private final Duration completionsWithin;
    private volatile boolean isClosed;

    ChangeFeedWorkFeed(ChangeFeedAnnouncer announcer, boolean hasActivities, Duration completionsWithin) {
        this.announcer = announcer;
        this.hasActivities = hasActivities;
        this.completionsWithin = completionsWithin;
    }

    @Override
    public Duration completionsWithin() {
        return completionsWithin;
    }

    @Override
    public Subscription subscribe(WorkStore store, WorkQueue queue, String filter, Listener listener) {
        if (queue == WorkQueue.ACTIVITIES && !hasActivities) {
            return NOTHING;
        }
        Member member = new Member(this, listener);
        Group group = announcer.join(queue, filter, member);
        return new Subscription() {
            @Override
            public boolean isHealthy() {
                return announcer.isHealthy() && !isClosed;
            }

            @Override
            public boolean isOwn(String instanceId) {
                return group.isOwner(member, instanceId);
            }

            @Override
            public void request(int activities) {
                member.want(activities);
                if (queue == WorkQueue.ACTIVITIES && activities > 0) {
                    announcer.deliverSoon();
                }
            }

            @Override
            public void close() {
                group.leave(member);
            }
        };
    }

    /** Also how the process dies: what it has not handled is announced to others. */
    @Override
    public void close() {
        isClosed = true;
        announcer.leave(this);
    }
}
