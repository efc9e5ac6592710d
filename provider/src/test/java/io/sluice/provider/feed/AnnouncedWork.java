package io.sluice.provider.feed;

import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkQueue;

/** One record of a topic. */
public record AnnouncedWork(WorkQueue queue, Announcement announcement) {
    String instanceId() {
        return announcement.instanceId();
    }
}
