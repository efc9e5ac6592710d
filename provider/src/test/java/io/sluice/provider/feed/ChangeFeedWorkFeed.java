package io.sluice.provider.feed;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.announcement.WorkQueue;

/** The feed of one process; see {@link ChangeFeedAnnouncer#join}. */
public final class ChangeFeedWorkFeed implements WorkFeed {
    private final ChangeFeedAnnouncer announcer;

    ChangeFeedWorkFeed(ChangeFeedAnnouncer announcer) {
        this.announcer = announcer;
    }

    @Override
    public Subscription subscribe(WorkQueue queue, String filter, Listener listener) {
        Member member = new Member(this, listener);
        Group group = announcer.join(queue, filter, member);
        return new Subscription() {
            @Override
            public boolean isHealthy() {
                return announcer.isHealthy();
            }

            @Override
            public boolean isOwn(String instanceId) {
                return group.isOwner(member, instanceId);
            }

            @Override
            public void request(int activities) {
                member.want(activities);
            }
        };
    }

    /** Also how the process dies: what it has not handled is announced to others. */
    @Override
    public void close() {
        announcer.leave(this);
    }
}
