package io.sluice.relay.feed;

import java.time.Duration;

/**
 * The time until the next read of the feed: the shortest interval after activity; it doubles with every empty read, up
 * to the longest. Not thread-safe.
 */
public final class PollInterval {
    private final Duration shortest;
    private final Duration longest;
    private Duration next;

    public PollInterval(Duration shortest, Duration longest) {
        if (shortest.isNegative() || shortest.isZero() || shortest.compareTo(longest) > 0) {
            throw new IllegalArgumentException("the shortest interval must be positive and at most the longest, were "
                    + shortest + ", " + longest);
        }
        this.shortest = shortest;
        this.longest = longest;
        this.next = shortest;
    }

    /** The longest time between two polls. */
    public Duration longest() {
        return longest;
    }

    /** The interval after a read with changes. */
    public Duration afterActivity() {
        next = shortest;
        return next;
    }

    /** The interval after an empty read. */
    public Duration afterNothing() {
        var interval = next;
        var doubled = next.multipliedBy(2);
        next = doubled.compareTo(longest) > 0 ? longest : doubled;
        return interval;
    }
}
