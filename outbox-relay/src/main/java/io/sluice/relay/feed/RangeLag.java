package io.sluice.relay.feed;

import java.time.Duration;
import java.time.InstantSource;

/**
 * Tracks whether the publisher of a range reads new changes. A publisher with a backlog, as at the first start or after
 * an outage, reads without a pause and still reaches new changes last. Written by one thread, read by any.
 */
public final class RangeLag {
    private static final long NEVER = 0;
    /** The store's times are whole seconds, and reading takes time. */
    private static final Duration ALLOWANCE = Duration.ofSeconds(2);

    private final InstantSource clock;
    private final long oldMillis;
    /** When a page last had new changes, or the publisher was created. */
    private volatile long presentMillis;
    /** When a page last had only old changes. */
    private volatile long pastMillis = NEVER;

    /**
     * The lag of a publisher that has read nothing.
     *
     * @param clock the store's time
     * @param longestInterval between two reads of the feed
     */
    public RangeLag(InstantSource clock, Duration longestInterval) {
        this.clock = clock;
        this.oldMillis = longestInterval.multipliedBy(2).plus(ALLOWANCE).toMillis();
        this.presentMillis = clock.millis();
    }

    /** Notes a page that was read. */
    public void read(FeedPage page) {
        long now = clock.millis();
        if (!page.isEmpty() && isOld(page.newestSecond(), now)) {
            pastMillis = now;
        } else {
            presentMillis = now;
        }
    }

    private boolean isOld(long seconds, long now) {
        return seconds > 0 && now - seconds * 1_000 > oldMillis;
    }

    /**
     * Whether new changes, or a part of them, are not read yet. A range that spans several physical partitions reads
     * their feeds alternately, so pages may be new and old in turn.
     *
     * @param patience within this time a new change must have been read, and no old one
     */
    public boolean isBehind(Duration patience) {
        long now = clock.millis();
        return now - presentMillis > patience.toMillis() || now - pastMillis <= patience.toMillis();
    }
}
