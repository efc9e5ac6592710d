package io.sluice.emulator.store;

import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.query.condition.DocumentPath;
import io.sluice.emulator.store.disk.JournalEntry;
import io.sluice.emulator.store.disk.Storage;
import io.sluice.emulator.store.item.ItemKey;
import io.sluice.emulator.store.item.StoredItem;
import io.sluice.emulator.store.key.EpkRange;
import io.sluice.emulator.store.key.PartitionKey;
import io.sluice.emulator.throughput.TokenBucket;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One physical partition of a container: a stretch of the key space with a log of its own.
 *
 * <p>Writes are transactions, one at a time, each with the next log sequence number; readers see the state between two of
 * them. Thread-safe.
 */
public final class Partition {
    /** The low bits of an item's number are its partition's index, so that numbers are unique in the container. */
    private static final int INDEX_BITS = 16;

    private final Container container;
    private final PartitionLayout.Range place;
    private final Storage storage;
    private final PartitionContents contents;
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private long lsn;
    private long nextNumber;
    private final TokenBucket requestUnits = new TokenBucket();
    /** The place of the last transaction in the journal. */
    private long noted;

    private boolean dropped;
    private boolean retired;

    Partition(Container container, PartitionLayout.Range place, Storage storage) {
        this.container = container;
        this.place = place;
        this.storage = storage;
        contents = new PartitionContents(container, mapPrefix(), storage);
        lsn = contents.savedLsn();
        nextNumber = contents.savedNextNumber();
    }

    /** The id of its partition key range. */
    public String id() {
        return Integer.toString(place.index());
    }

    PartitionLayout.Range place() {
        return place;
    }

    /** The part of the key space it holds. */
    public EpkRange range() {
        return place.keys();
    }

    /** The ids of the ranges its items were in before they split or merged. */
    public List<String> ancestors() {
        return place.ancestors().stream().map(index -> Integer.toString(index)).toList();
    }

    /** Its share of the container's throughput. */
    public TokenBucket requestUnits() {
        return requestUnits;
    }

    /** How many items it holds, expired ones that are not removed yet included. */
    public long itemCount() {
        return contents.itemCount();
    }

    /** About how many items a logical partition has, expired ones included; counted without reading them. */
    public long itemCount(PartitionKey key) {
        return contents.itemCount(container.effectiveKey(key), key);
    }

    /** The resource id of its partition key range. */
    public String rid() {
        return ResourceIds.range(container.rid(), place.index());
    }

    /** The log sequence number of the last transaction. */
    public long lsn() {
        lock.readLock().lock();
        try {
            return lsn;
        } finally {
            lock.readLock().unlock();
        }
    }

    /**
     * Runs work that may write. What it wrote applies when it returns, under one log sequence number; when it throws,
     * nothing applies.
     *
     * @throws StatusException 404 when the container is gone, 410 when the partition is
     */
    public <T> T write(Function<WriteTransaction, T> work) {
        return told(lock.writeLock(), () -> {
            checkPresent();
            var transaction = new WriteTransaction(this, lsn + 1, container.nowSeconds());
            var result = work.apply(transaction);
            if (!transaction.changes().isEmpty()) {
                apply(transaction);
            }
            return result;
        });
    }

    /** Looks or works under a lock, and returns when what was seen or done is as durable as the configuration wants it. */
    private <T> T told(Lock held, Supplier<T> work) {
        T result;
        long place;
        held.lock();
        try {
            result = work.get();
            place = noted;
        } finally {
            held.unlock();
        }
        storage.awaitForced(place);
        return result;
    }

    /**
     * The item with an id, if it is there and has not expired.
     *
     * @throws StatusException 404 when the container is gone, 410 when the partition is
     */
    public Optional<StoredItem> find(PartitionKey partitionKey, String id) {
        var key = container.key(partitionKey, id);
        return told(lock.readLock(), () -> {
            checkPresent();
            return Optional.ofNullable(stored(key))
                    .filter(item -> !TimeToLive.isExpired(
                            item, container.properties().defaultTtlSeconds(), container.nowSeconds()));
        });
    }

    /**
     * The partition as it is now.
     *
     * @throws StatusException 404 when the container is gone, 410 when the partition is
     */
    public PartitionView view() {
        return view(List.of());
    }

    /**
     * The partition as it is now, with indexes of paths. The first to ask for a path has its index made, as far as the container's policy has
     * one there; writers wait meanwhile.
     *
     * @throws StatusException 404 when the container is gone, 410 when the partition is
     */
    public PartitionView view(Collection<DocumentPath> wanted) {
        var made = told(lock.readLock(), () -> {
            checkPresent();
            var paths = contents.indexed(wanted);
            return contents.hasIndexes(paths)
                    ? Optional.of(contents.frozen(lsn, paths))
                    : Optional.<PartitionView>empty();
        });
        return made.orElseGet(() -> told(lock.writeLock(), () -> {
            checkPresent();
            var paths = contents.indexed(wanted);
            contents.makeIndexes(paths);
            return contents.frozen(lsn, paths);
        }));
    }

    /** Forgets the indexes that the container's policy has no more. */
    void policyReplaced() {
        lock.writeLock().lock();
        try {
            contents.policyReplaced();
        } finally {
            lock.writeLock().unlock();
        }
    }

    int index() {
        return place.index();
    }

    Container container() {
        return container;
    }

    /** The version on record, expired or not. The caller holds the lock. */
    @Nullable
    StoredItem stored(ItemKey key) {
        return contents.stored(key);
    }

    /** The number of the item that has a unique key, null when none has it that is not expired. The caller holds the lock. */
    @Nullable
    Long uniqueOwner(String uniqueKey) {
        var item = contents.uniqueOwner(uniqueKey);
        if (item == null
                || TimeToLive.isExpired(item, container.properties().defaultTtlSeconds(), container.nowSeconds())) {
            return null;
        }
        return item.number();
    }

    /** Whether an index reads what is written. The caller holds the lock. */
    boolean isIndexed() {
        return contents.isIndexed();
    }

    /** The number for a new item. A transaction that fails leaves a gap. The caller holds the lock for writing. */
    long nextNumber() {
        return nextNumber++ << INDEX_BITS | place.index();
    }

    /** Removes expired items for good, and versions nobody may ask for any more, unless it has gone in the meantime. */
    void sweep() {
        lock.writeLock().lock();
        try {
            if (!dropped && !retired) {
                removeExpired();
                contents.forgetVersions(container.oldestVersionSeconds());
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    private void removeExpired() {
        if (container.properties().defaultTtlSeconds() != null) {
            var expired = view().expired();
            write(transaction -> {
                expired.forEach(transaction::expire);
                return expired.size();
            });
        }
    }

    /** The lock that keeps everybody else out while its items move. */
    Lock moving() {
        return lock.writeLock();
    }

    /** Takes over what another one holds of this one's part of the key space. The caller keeps everybody out of both. */
    void absorb(Partition other) {
        contents.absorb(other.contents, range());
        lsn = Math.max(lsn, other.lsn);
        nextNumber = Math.max(nextNumber, other.nextNumber);
        contents.save(lsn, nextNumber);
    }

    /** From now on its requests are answered 410. */
    void retire() {
        retired = true;
        contents.forgetIndexes();
    }

    String mapPrefix() {
        return mapPrefix(container.rid(), place.index());
    }

    /** How the names of the maps of a container's partition begin. */
    static String mapPrefix(String containerRid, int index) {
        return containerRid + "/" + index + "/";
    }

    void drop() {
        lock.writeLock().lock();
        storage.writing().lock();
        try {
            dropped = true;
            contents.drop(storage);
        } finally {
            storage.writing().unlock();
            lock.writeLock().unlock();
        }
    }

    private void checkPresent() {
        if (dropped) {
            throw StatusException.ownerNotFound();
        }
        if (retired) {
            throw StatusException.partitionGone("The partition key range is gone: " + id());
        }
    }

    private void apply(WriteTransaction transaction) {
        storage.writing().lock();
        try {
            noted = storage.note(() -> entry(transaction));
            lsn++;
            transaction.changes().forEach((key, change) -> contents.apply(key, change.before(), change.after()));
            contents.log(transaction.log());
            contents.save(lsn, nextNumber);
        } finally {
            storage.writing().unlock();
        }
    }

    private JournalEntry entry(WriteTransaction transaction) {
        var writes = new ArrayList<JournalEntry.Write>();
        transaction.changes().forEach((key, change) -> writes.add(new JournalEntry.Write(key, change.after())));
        return new JournalEntry(mapPrefix(), lsn + 1, nextNumber, writes, transaction.log());
    }

    /** Applies a transaction that an earlier process had written down, unless it had stored it too. */
    void replay(JournalEntry entry) {
        if (entry.lsn() == lsn + 1) {
            lsn = entry.lsn();
            nextNumber = entry.nextNumber();
            entry.writes().forEach(write -> contents.apply(write.key(), stored(write.key()), write.after()));
            contents.log(entry.log());
            contents.save(lsn, nextNumber);
        } else if (entry.lsn() > lsn) {
            throw new IllegalStateException("The journal goes on at " + entry.lsn() + " where the partition "
                    + entry.partition() + " ends at " + lsn);
        }
    }
}
