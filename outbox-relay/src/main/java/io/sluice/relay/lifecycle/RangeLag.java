package io.sluice.relay.lifecycle;

import io.sluice.relay.feed.FeedPage;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Whether the publisher of a range shows what is new. One that has much before it, as at a very first start or after an
 * outage, reads on without a rest, and still what is written meanwhile comes last. Written by one thread, read by any.
 */
final class RangeLag {
    private static final long NEVER = 0;
    /** The store's times are whole seconds, and reading takes a moment. */
    private static final Duration ALLOWANCE = Duration.ofSeconds(2);

    private final InstantSource clock;
    private final long oldMillis;
    /** When a page last showed what was new, or the publisher was made. */
    private volatile long presentMillis;
    /** When a page last showed nothing but what was old. */
    private volatile long pastMillis = NEVER;

    /**
     * Of a publisher that has read nothing.
     *
     * @param clock the store's time
     * @param longestRest between two looks at the feed
     */
    RangeLag(InstantSource clock, Duration longestRest) {
        this.clock = clock;
        this.oldMillis = longestRest.multipliedBy(2).plus(ALLOWANCE).toMillis();
        this.presentMillis = clock.millis();
    }

    /** Takes note of a page that was handed on. */
    void read(FeedPage page) {
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
     * Whether what is new is not shown, or only a part of it: a range that lies in several physical partitions has a
     * feed of each, which are read by turns.
     *
     * @param patience within which the present must have been shown, and nothing old
     */
    boolean isBehind(Duration patience) {
        long now = clock.millis();
        return now - presentMillis > patience.toMillis() || now - pastMillis <= patience.toMillis();
    }
}
