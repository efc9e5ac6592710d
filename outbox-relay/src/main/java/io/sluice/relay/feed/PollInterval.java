package io.sluice.relay.feed;

import java.time.Duration;

/**
 * How long to rest before looking at the feed again: the shortest rest after activity, twice the last one while
 * nothing happens, at most the longest. Not thread-safe.
 */
public final class PollInterval {
    private final Duration shortest;
    private final Duration longest;
    private Duration next;

    public PollInterval(Duration shortest, Duration longest) {
        if (shortest.isNegative() || shortest.isZero() || shortest.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    "the shortest rest must be positive and at most the longest, were " + shortest + ", " + longest);
        }
        this.shortest = shortest;
        this.longest = longest;
        this.next = shortest;
    }

    /** The longest time between two polls. */
    public Duration longest() {
        return longest;
    }

    /** Something was there: how long to rest now. */
    public Duration afterActivity() {
        next = shortest;
        return next;
    }

    /** Nothing was there: how long to rest now. */
    public Duration afterNothing() {
        var rest = next;
        var doubled = next.multipliedBy(2);
        next = doubled.compareTo(longest) > 0 ? longest : doubled;
        return rest;
    }
}
