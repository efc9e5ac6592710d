package io.sluice.relay.dispatch;

import io.sluice.relay.feed.FeedPage;

/** How far the feed of a range is behind, for its pulse. Thread-safe. */
final class FeedLag {
    /** The store's times are whole seconds. */
    private static final long SECOND_MILLIS = 1_000;

    private long lastReadAt;
    private long greatest;

    /** Notes a page of which all work was announced. */
    synchronized void read(FeedPage page, long now) {
        long newest = page.newestSecond();
        long lag = newest == 0 ? 0 : Math.max(0, now - (newest + 1) * SECOND_MILLIS);
        greatest = Math.max(greatest, lag);
        lastReadAt = now;
    }

    /** Since the latest page. */
    synchronized long silenceMillis(long now) {
        return now - lastReadAt;
    }

    /**
     * The greatest lag of a page since it was asked last, since a range that spans several physical partitions reads
     * their feeds alternately; where no page was read, the time since the latest one.
     */
    synchronized long take(long now, long intervalMillis) {
        long silence = now - lastReadAt;
        long lag = Math.max(greatest, silence > intervalMillis + SECOND_MILLIS ? silence : 0);
        greatest = 0;
        return lag;
    }
}
