package io.sluice.provider.feed;

import io.sluice.provider.announcement.Announcement;
import java.util.List;

/** The members that share the announcements of one queue for one filter. Thread-safe. */
interface Group {
    void join(Member member);

    /** The member is gone; what it has not handled is announced to others. */
    void leave(Member member);

    List<Member> members();

    /** Whether the announcements of this instance come to this member alone. */
    boolean isOwner(Member member, String instanceId);

    void add(Announcement announcement);

    /** What can be delivered now, in order; each is delivered once to a member until that one is gone. */
    List<Runnable> takeDeliveries();

    /** What nobody has handled yet. */
    int waiting();
}
