package io.sluice.relay.verify;

import java.util.Collection;
import java.util.Map;

/**
 * What of the topic's past may be gone: an event written until then and not on the topic may have been there.
 *
 * @param untilSecond by partition, in seconds since 1970 by the store's time; {@link #NOTHING} and {@link #ALL} are the
 *     ends
 */
record Retention(Map<Integer, Long> untilSecond) {
    /** Nothing that is looked for is gone. */
    static final long NOTHING = Long.MIN_VALUE;

    /** All that was ever published may be gone. */
    static final long ALL = Long.MAX_VALUE;

    Retention {
        untilSecond = Map.copyOf(untilSecond);
    }

    /**
     * Whether the record of an event may have been removed.
     *
     * @param partitions those with other records of its instance; none if it has none: it may have been in any
     */
    boolean mayHaveTaken(long writtenSecond, Collection<Integer> partitions) {
        return untilSecond.entrySet().stream()
                .filter(each -> partitions.isEmpty() || partitions.contains(each.getKey()))
                .anyMatch(each -> writtenSecond <= each.getValue());
    }
}
