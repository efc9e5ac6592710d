package io.sluice.relay.partition;

import io.sluice.relay.feed.KeyRange;

/**
 * How many of some threads one physical partition of the store may hold at a time: a quarter, so that three that do not
 * answer leave some to the others; more where there are fewer partitions than four. Thread-safe.
 *
 * @param threads all there are
 */
public record PartitionPlaces(StorePartitions partitions, int threads) {
    private static final int SHARES = 4;

    /** The places of each partition, at least 1. */
    public int most() {
        int shares = Math.min(SHARES, partitions.count());
        return Math.max(1, (threads + shares - 1) / shares);
    }

    /** The partition in which an instance lies. */
    public KeyRange of(String instance) {
        return partitions.of(instance);
    }
}
