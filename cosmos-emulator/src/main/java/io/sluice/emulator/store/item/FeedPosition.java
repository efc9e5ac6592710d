package io.sluice.emulator.store.item;

import java.util.Comparator;

/**
 * A position in a physical partition's change feed.
 *
 * @param lsn of the transaction
 * @param origin the index of the partition it ran in, since merged partitions have used the same log sequence numbers
 * @param ordinal of the change within it; its high bits count the restores before it, so that the versions before and
 *     after a restore, which have the same log sequence numbers, differ
 */
public record FeedPosition(long lsn, int origin, int ordinal) implements Comparable<FeedPosition> {
    private static final Comparator<FeedPosition> ORDER = Comparator.comparingLong(FeedPosition::lsn)
            .thenComparingInt(FeedPosition::origin)
            .thenComparingInt(FeedPosition::ordinal);

    private static final int RESTORES_BITS = 16;

    /** The ordinal of the first change of a transaction. */
    public static int firstOrdinal(int restores) {
        return restores << RESTORES_BITS;
    }

    /** Where the changes behind a log sequence number begin. */
    public static FeedPosition after(long lsn) {
        return new FeedPosition(lsn + 1, 0, 0);
    }

    @Override
    public int compareTo(FeedPosition other) {
        return ORDER.compare(this, other);
    }
}
