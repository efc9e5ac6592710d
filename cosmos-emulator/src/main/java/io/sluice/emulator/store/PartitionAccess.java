package io.sluice.emulator.store;

import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.disk.Storage;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * When requests may be in a partition: readers together, writers one at a time, none once the partition is gone. They
 * leave when everything they read or wrote is as durable as the configuration demands. Thread-safe.
 */
final class PartitionAccess {
    private final int index;
    private final Storage storage;
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    /** The position of the last transaction in the journal. */
    private long journalPosition;

    private boolean dropped;
    private boolean retired;

    /** @param index of the partition, which the refusals name */
    PartitionAccess(int index, Storage storage) {
        this.index = index;
        this.storage = storage;
    }

    /**
     * Runs work that reads.
     *
     * @throws StatusException 404 when the container is gone, 410 when the partition is
     */
    <T> T read(Supplier<T> work) {
        return runDurably(lock.readLock(), work);
    }

    /**
     * Runs work that writes.
     *
     * @throws StatusException 404 when the container is gone, 410 when the partition is
     */
    <T> T write(Supplier<T> work) {
        return runDurably(lock.writeLock(), work);
    }

    private <T> T runDurably(Lock held, Supplier<T> work) {
        T result;
        long position;
        held.lock();
        try {
            checkPresent();
            result = work.get();
            position = journalPosition;
        } finally {
            held.unlock();
        }
        storage.awaitForced(position);
        return result;
    }

    private void checkPresent() {
        // Retired first: the sweep drops what has split or merged, and clients must still look for its successors.
        if (retired) {
            throw StatusException.partitionGone("The partition key range is gone: " + index);
        }
        if (dropped) {
            throw StatusException.ownerNotFound();
        }
    }

    /** Runs upkeep that no one waits for to be durable, alone in the partition; nothing when the partition is gone. */
    void runIfPresent(Runnable upkeep) {
        lock.writeLock().lock();
        try {
            if (!dropped && !retired) {
                upkeep.run();
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Sets where the journal has the last transaction. The caller holds the lock for writing. */
    void setJournalPosition(long position) {
        journalPosition = position;
    }

    /** Answers 410 from now on. The caller holds the lock for writing. */
    void retire() {
        retired = true;
    }

    /** Answers 404 from now on, unless it answers 410. The caller holds the lock for writing. */
    void drop() {
        dropped = true;
    }

    /** The lock that keeps writers out. */
    Lock readLock() {
        return lock.readLock();
    }

    /** The lock that keeps readers and writers out. */
    Lock writeLock() {
        return lock.writeLock();
    }
}
