package io.sluice.relay.feed;

/** The throughput that the lease container needs. Pure. */
public final class LeaseThroughput {
    /** A read and a write every six seconds. */
    private static final int RENEWAL = 2;
    /** A checkpoint every second, while a part of the feed has changes. */
    private static final int CHECKPOINTS = 11;

    private static final int LEAST = 400;
    private static final int STEP = 100;

    private LeaseThroughput() {}

    /** Request units a second for a container with so many physical partitions, with one lease each. */
    public static int of(int partitions) {
        int needed = partitions * (RENEWAL + CHECKPOINTS);
        return Math.max(LEAST, (needed + STEP - 1) / STEP * STEP);
    }
}
