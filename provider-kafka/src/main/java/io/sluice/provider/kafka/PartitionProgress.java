package io.sluice.provider.kafka;

import io.sluice.provider.announcement.WorkFeed;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * The records of an assigned partition that were read and not handled. Only the offset of the first one is committed:
 * after a crash another process reads all of them again, in order. Thread-safe.
 */
final class PartitionProgress {
    /** For a group that has no offset. */
    static final long UNKNOWN = -1;

    private final TreeSet<Long> unhandled = new TreeSet<>();
    private long next;
    private long committed;
    private boolean current = true;

    /**
     * @param next offset of the first record to be read
     * @param committed offset that the group knows, or {@link #UNKNOWN}
     */
    PartitionProgress(long next, long committed) {
        this.next = next;
        this.committed = committed;
    }

    /** Whether records are missing between this one and what was read before. */
    synchronized boolean isGap(long offset) {
        return offset != next;
    }

    /** A record was read; the receipt marks it as handled. */
    synchronized WorkFeed.Receipt read(long offset) {
        unhandled.add(offset);
        next = offset + 1;
        return new TurnReceipt(this, offset);
    }

    /** A record was read that needs no answer. */
    synchronized void passOver(long offset) {
        next = offset + 1;
    }

    private synchronized void handled(long offset) {
        unhandled.remove(offset);
    }

    synchronized int unhandled() {
        return unhandled.size();
    }

    private long committable() {
        return unhandled.isEmpty() ? next : unhandled.first();
    }

    /** Begins a commit; empty when the group knows all there is to commit. */
    synchronized OptionalLong beginCommit() {
        if (committable() == committed) {
            return OptionalLong.empty();
        }
        committed = committable();
        return OptionalLong.of(committed);
    }

    /** The commit has to be repeated. */
    synchronized void commitFailed() {
        committed = UNKNOWN;
    }

    /** The partition belongs to another process now, or is read from another place. */
    synchronized void retire() {
        current = false;
    }

    private synchronized boolean isCurrent() {
        return current;
    }

    /** For one record. */
    private record TurnReceipt(PartitionProgress progress, long offset) implements WorkFeed.Receipt {
        @Override
        public void handled() {
            progress.handled(offset);
        }

        /** The provider keeps it, and so does the group: its offset is not committed. */
        @Override
        public void returned() {}

        @Override
        public boolean isCurrent() {
            return progress.isCurrent();
        }
    }
}
