package io.sluice.emulator.store;

/**
 * A place in a physical partition's change feed.
 *
 * @param lsn of the transaction
 * @param ordinal of the change within it
 */
record FeedPosition(long lsn, int ordinal) implements Comparable<FeedPosition> {
    @Override
    public int compareTo(FeedPosition other) {
        int byLsn = Long.compare(lsn, other.lsn);
        return byLsn != 0 ? byLsn : Integer.compare(ordinal, other.ordinal);
    }
}
