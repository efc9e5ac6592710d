package io.sluice.emulator.store;

import io.sluice.emulator.store.disk.Storage;
import org.h2.mvstore.MVMap;

/** What a partition counts, as it is in memory and as it was saved. The partition's lock guards it. */
final class PartitionCounters {
    private static final long LSN = 0;
    private static final long NEXT_NUMBER = 1;
    private static final long EXPIRED_VERSIONS_LSN = 2;
    private static final long RESTORES = 3;

    private final MVMap<Long, Long> saved;
    private long lsn;
    private long nextNumber;
    private int restores;

    PartitionCounters(MVMap<Long, Long> saved) {
        this.saved = saved;
        lsn = saved.getOrDefault(LSN, 1L);
        nextNumber = saved.getOrDefault(NEXT_NUMBER, 1L);
        restores = saved.getOrDefault(RESTORES, 0L).intValue();
    }

    /** The log sequence number of the last transaction. */
    long lsn() {
        return lsn;
    }

    /** The number that the next new item gets. */
    long nextNumber() {
        return nextNumber;
    }

    /** Takes a number for a new item. A transaction that fails leaves a gap. */
    long takeNumber() {
        return nextNumber++;
    }

    /** How often the partition was restored, or those whose items it took over. */
    int restores() {
        return restores;
    }

    /** The last log sequence number whose versions are no longer kept. */
    long expiredVersionsLsn() {
        return saved.getOrDefault(EXPIRED_VERSIONS_LSN, 0L);
    }

    void expireVersions(long upToLsn) {
        saved.put(EXPIRED_VERSIONS_LSN, upToLsn);
    }

    /** Saves the counters of a transaction. */
    void save(long ofLsn, long followingNumber) {
        lsn = ofLsn;
        nextNumber = followingNumber;
        saved.put(LSN, lsn);
        saved.put(NEXT_NUMBER, nextNumber);
    }

    /** Goes on where another partition is, if that is further. */
    void absorb(PartitionCounters other) {
        save(Math.max(lsn, other.lsn), Math.max(nextNumber, other.nextNumber));
        expireVersions(Math.max(expiredVersionsLsn(), other.expiredVersionsLsn()));
        countRestores(Math.max(restores, other.restores));
    }

    /** Begins again, as restored once more. */
    void restart() {
        saved.clear();
        save(1, 1);
        countRestores(restores + 1);
    }

    void drop(Storage storage) {
        storage.drop(saved);
    }

    private void countRestores(int count) {
        restores = count;
        if (count > 0) {
            saved.put(RESTORES, (long) count);
        }
    }
}
