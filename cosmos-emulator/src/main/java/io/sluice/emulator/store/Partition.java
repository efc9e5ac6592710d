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
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;

/**
 * One physical partition of a container: a range of the key space with log sequence numbers of its own.
 *
 * <p>Writes are transactions. They run one at a time, each under the next log sequence number, and readers never see
 * half of one. Thread-safe.
 */
public final class Partition {
    /** The low bits of an item's number are its partition's index, so that numbers are unique in the container. */
    private static final int INDEX_BITS = 16;

    private final Container container;
    private final PartitionLayout.Placement placement;
    private final Storage storage;
    private final PartitionContents contents;
    private final PartitionAccess access;
    private final PartitionCounters counters;
    private final TokenBucket requestUnits = new TokenBucket();

    Partition(Container container, PartitionLayout.Placement placement, Storage storage) {
        this.container = container;
        this.placement = placement;
        this.storage = storage;
        access = new PartitionAccess(placement.index(), storage);
        counters = new PartitionCounters(storage.counters(mapPrefix() + "counters"));
        contents = new PartitionContents(container, mapPrefix(), storage, counters);
    }

    /** The id of its partition key range. */
    public String id() {
        return Integer.toString(placement.index());
    }

    PartitionLayout.Placement placement() {
        return placement;
    }

    /** The part of the key space it holds. */
    public EpkRange range() {
        return placement.keys();
    }

    /** The ids of the ranges its items were in before they split or merged. */
    public List<String> ancestors() {
        return placement.ancestors().stream()
                .map(index -> Integer.toString(index))
                .toList();
    }

    /** The version of its session tokens. It grows when partitions merge. */
    public int sessionVersion() {
        return placement.sessionVersion();
    }

    /** Its share of the container's throughput. */
    public TokenBucket requestUnits() {
        return requestUnits;
    }

    /** How many items it holds, including expired ones that are not removed yet. */
    public long itemCount() {
        return contents.itemCount();
    }

    /** Roughly how many items a logical partition has, including expired ones; counted without reading them. */
    public long itemCount(PartitionKey key) {
        return contents.itemCount(container.effectiveKey(key), key);
    }

    /** The resource id of its partition key range. */
    public String rid() {
        return ResourceIds.range(container.rid(), placement.index());
    }

    /** The log sequence number of the last transaction. */
    public long lsn() {
        access.readLock().lock();
        try {
            return counters.lsn();
        } finally {
            access.readLock().unlock();
        }
    }

    /**
     * Runs a transaction. All its writes apply when it returns, under one log sequence number; none applies when it
     * throws.
     *
     * @throws StatusException 404 when the container is gone, 410 when the partition is
     */
    public <T> T write(Function<WriteTransaction, T> work) {
        return access.write(() -> {
            var transaction = new WriteTransaction(this, contents, counters.lsn() + 1, container.nowSeconds());
            var result = work.apply(transaction);
            if (!transaction.changes().isEmpty()) {
                apply(transaction);
            }
            return result;
        });
    }

    /**
     * The item with an id, if it is there and has not expired.
     *
     * @throws StatusException 404 when the container is gone, 410 when the partition is
     */
    public Optional<StoredItem> find(PartitionKey partitionKey, String id) {
        var key = container.key(partitionKey, id);
        return access.read(() -> Optional.ofNullable(contents.stored(key))
                .filter(item -> !TimeToLive.isExpired(
                        item, container.properties().defaultTtlSeconds(), container.nowSeconds())));
    }

    /**
     * The id of the item with a resource id, if it is there and has not expired.
     *
     * @throws StatusException 404 when the container is gone, 410 when the partition is
     */
    public Optional<String> idOf(PartitionKey partitionKey, String itemRid) {
        OptionalLong number = ResourceIds.itemNumber(container.rid(), itemRid);
        return number.isEmpty()
                ? Optional.empty()
                : view().item(number.getAsLong())
                        .filter(item -> item.partitionKey().equals(partitionKey.text()))
                        .map(StoredItem::id);
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
     * The partition as it is now, with indexes of paths. The first call for a path builds its index, if the container's
     * policy indexes that path; writers wait meanwhile.
     *
     * @throws StatusException 404 when the container is gone, 410 when the partition is
     */
    public PartitionView view(Collection<DocumentPath> wanted) {
        var made = access.read(() -> {
            var paths = contents.indexed(wanted);
            return contents.hasIndexes(paths) ? Optional.of(contents.snapshot(paths)) : Optional.<PartitionView>empty();
        });
        return made.orElseGet(() -> access.write(() -> {
            var paths = contents.indexed(wanted);
            contents.buildIndexes(paths);
            return contents.snapshot(paths);
        }));
    }

    /** Drops indexes of paths that the container's policy no longer indexes. */
    void dropUnusedIndexes() {
        access.runIfPresent(contents::dropUnusedIndexes);
    }

    int index() {
        return placement.index();
    }

    Container container() {
        return container;
    }

    /** The number for a new item. A transaction that fails leaves a gap. The caller holds the lock for writing. */
    long nextNumber() {
        return counters.takeNumber() << INDEX_BITS | placement.index();
    }

    /** Removes expired items, and versions beyond the retention, unless the partition itself is gone. */
    void sweep() {
        access.runIfPresent(() -> {
            removeExpired();
            contents.removeVersions(container.oldestVersionSeconds());
        });
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

    /** The lock that keeps readers and writers out while items move to other partitions. */
    Lock writeLock() {
        return access.writeLock();
    }

    /** The lock that keeps writers out while items are copied. */
    Lock readLock() {
        return access.readLock();
    }

    /** Copies the items in this partition's range from another partition. The caller holds this one's write lock. */
    void absorb(Partition other) {
        other.readLock().lock();
        try {
            contents.absorb(other.contents, range());
            counters.absorb(other.counters);
        } finally {
            other.readLock().unlock();
        }
    }

    /** Leaves a log sequence number to the split or merge that made the partition. The caller holds the write lock. */
    void takeLsn() {
        counters.save(counters.lsn() + 1, counters.nextNumber());
    }

    /** A copy of the partition in another storage, as it is now. */
    Partition copyTo(Storage other) {
        var copy = new Partition(container, placement, other);
        copy.absorb(this);
        return copy;
    }

    /**
     * Replaces what the partition holds by what others hold of its range, their log sequence numbers included. The
     * caller holds the write lock, and keeps every transaction of the storage out.
     */
    void restore(List<Partition> sources) {
        contents.clear();
        counters.restart();
        sources.stream().filter(source -> source.range().overlaps(range())).forEach(this::absorb);
    }

    /** How often it was restored, or those whose items it took over. The caller holds the lock. */
    int restores() {
        return counters.restores();
    }

    /** Makes the partition answer 410 from now on. */
    void retire() {
        access.retire();
        contents.dropIndexes();
    }

    String mapPrefix() {
        return PartitionContents.mapPrefix(container.rid(), placement.index());
    }

    void drop() {
        access.writeLock().lock();
        try {
            storage.transact(() -> {
                access.drop();
                contents.drop(storage);
            });
        } finally {
            access.writeLock().unlock();
        }
    }

    private void apply(WriteTransaction transaction) {
        storage.transact(() -> {
            access.setJournalPosition(
                    storage.journal(() -> transaction.toJournalEntry(mapPrefix(), counters.nextNumber())));
            counters.save(counters.lsn() + 1, counters.nextNumber());
            contents.apply(transaction.changes());
            contents.log(transaction.log());
        });
    }

    /** Applies a transaction from the journal of an earlier process, unless the store has it already. */
    void replay(JournalEntry entry) {
        long last = counters.lsn();
        if (entry.lsn() == last + 1) {
            counters.save(entry.lsn(), entry.nextNumber());
            var changes = new LinkedHashMap<ItemKey, WriteTransaction.Change>();
            entry.writes()
                    .forEach(write -> changes.put(
                            write.key(), new WriteTransaction.Change(contents.stored(write.key()), write.after())));
            contents.apply(changes);
            contents.log(entry.log());
        } else if (entry.lsn() > last) {
            throw new IllegalStateException("The journal continues at " + entry.lsn() + " but the partition "
                    + entry.partition() + " ends at " + last);
        }
    }
}
