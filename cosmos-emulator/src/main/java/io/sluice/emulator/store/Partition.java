package io.sluice.emulator.store;

import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.type.LongDataType;
import org.jspecify.annotations.Nullable;

/**
 * One physical partition of a container: a stretch of the key space with a log of its own.
 *
 * <p>Writes are transactions, one at a time, each with the next log sequence number; readers see the state between two of
 * them. Four maps hold it: items by number (their order of creation), numbers by key, the change feed: for every item the
 * place of its latest version, and the numbers by type, which spares most queries most of a mixed container. Thread-safe.
 */
public final class Partition {
    private static final long LSN = 0;
    private static final long NEXT_NUMBER = 1;
    /** The low bits of an item's number are its partition's index, so that numbers are unique in the container. */
    private static final int INDEX_BITS = 8;

    private final Container container;
    private final int index;
    private final EpkRange range;
    private final Storage storage;
    private final MVMap<Long, StoredItem> items;
    private final MVMap<ItemKey, Long> numbers;
    private final MVMap<FeedPosition, Long> feed;
    private final MVMap<TypedNumber, Long> types;
    private final MVMap<Long, Long> counters;
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private long lsn;
    private long nextNumber;
    private boolean dropped;

    Partition(Container container, int index, EpkRange range, Storage storage) {
        this.container = container;
        this.index = index;
        this.range = range;
        this.storage = storage;
        var prefix = container.rid() + "/" + index + "/";
        items = storage.map(prefix + "items", LongDataType.INSTANCE, StoredItemType.INSTANCE);
        numbers = storage.map(prefix + "numbers", ItemKeyType.INSTANCE, LongDataType.INSTANCE);
        feed = storage.map(prefix + "feed", FeedPositionType.INSTANCE, LongDataType.INSTANCE);
        types = storage.map(prefix + "types", TypedNumberType.INSTANCE, LongDataType.INSTANCE);
        counters = storage.counters(prefix + "counters");
        lsn = counters.getOrDefault(LSN, 1L);
        nextNumber = counters.getOrDefault(NEXT_NUMBER, 1L);
    }

    /** The id of its partition key range. */
    public String id() {
        return Integer.toString(index);
    }

    /** The part of the key space it holds. */
    public EpkRange range() {
        return range;
    }

    /** The resource id of its partition key range. */
    public String rid() {
        return ResourceIds.range(container.rid(), index);
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
     * @throws Refusal 404 when the container is gone
     */
    public <T> T write(Function<WriteTransaction, T> work) {
        lock.writeLock().lock();
        try {
            checkPresent();
            var transaction = new WriteTransaction(this, lsn + 1, container.nowSeconds());
            var result = work.apply(transaction);
            if (!transaction.changes().isEmpty()) {
                apply(transaction);
            }
            return result;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /**
     * The item with an id, if it is there and has not expired.
     *
     * @throws Refusal 404 when the container is gone
     */
    public Optional<StoredItem> find(PartitionKey partitionKey, String id) {
        var key = container.key(partitionKey, id);
        lock.readLock().lock();
        try {
            checkPresent();
            return Optional.ofNullable(stored(key))
                    .filter(item -> !TimeToLive.isExpired(
                            item, container.properties().defaultTtlSeconds(), container.nowSeconds()));
        } finally {
            lock.readLock().unlock();
        }
    }

    /**
     * The partition as it is now.
     *
     * @throws Refusal 404 when the container is gone
     */
    public PartitionView view() {
        lock.readLock().lock();
        try {
            checkPresent();
            var roots = new PartitionView.Roots(
                    PartitionView.Frozen.of(items),
                    PartitionView.Frozen.of(numbers),
                    PartitionView.Frozen.of(feed),
                    PartitionView.Frozen.of(types));
            return new PartitionView(roots, lsn, container.properties().defaultTtlSeconds(), container.nowSeconds());
        } finally {
            lock.readLock().unlock();
        }
    }

    int index() {
        return index;
    }

    Container container() {
        return container;
    }

    /** The version on record, expired or not. The caller holds the lock. */
    @Nullable
    StoredItem stored(ItemKey key) {
        var number = numbers.get(key);
        return number == null ? null : items.get(number);
    }

    /** The number for a new item. A transaction that fails leaves a gap. The caller holds the lock for writing. */
    long nextNumber() {
        return nextNumber++ << INDEX_BITS | index;
    }

    /** Removes expired items for good, unless the container has gone in the meantime. */
    void removeExpired() {
        lock.writeLock().lock();
        try {
            if (!dropped) {
                var expired = view().expired();
                write(transaction -> {
                    expired.forEach(transaction::expire);
                    return expired.size();
                });
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    void drop() {
        lock.writeLock().lock();
        storage.writing().lock();
        try {
            dropped = true;
            storage.drop(items);
            storage.drop(numbers);
            storage.drop(feed);
            storage.drop(types);
            storage.drop(counters);
        } finally {
            storage.writing().unlock();
            lock.writeLock().unlock();
        }
    }

    private void checkPresent() {
        if (dropped) {
            throw Refusal.ownerNotFound();
        }
    }

    private void apply(WriteTransaction transaction) {
        storage.writing().lock();
        try {
            lsn++;
            transaction.changes().forEach(this::apply);
            counters.put(LSN, lsn);
            counters.put(NEXT_NUMBER, nextNumber);
        } finally {
            storage.writing().unlock();
        }
    }

    private void apply(ItemKey key, WriteTransaction.Change change) {
        var before = change.before();
        var after = change.after();
        if (before != null) {
            feed.remove(before.version().position());
            types.remove(TypedNumber.of(before));
            if (after == null || after.number() != before.number()) {
                items.remove(before.number());
                numbers.remove(key);
            }
        }
        if (after != null) {
            items.put(after.number(), after);
            numbers.put(key, after.number());
            feed.put(after.version().position(), after.number());
            types.put(TypedNumber.of(after), after.number());
        }
    }
}
