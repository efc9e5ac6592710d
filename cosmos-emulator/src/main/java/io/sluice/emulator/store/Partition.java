package io.sluice.emulator.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.demand.DocumentPath;
import io.sluice.emulator.store.index.PathIndexes;
import io.sluice.emulator.throughput.Budget;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.type.LongDataType;
import org.h2.mvstore.type.StringDataType;
import org.jspecify.annotations.Nullable;

/**
 * One physical partition of a container: a stretch of the key space with a log of its own.
 *
 * <p>Writes are transactions, one at a time, each with the next log sequence number; readers see the state between two of
 * them. These maps hold it: items by number (their order of creation), numbers by key, the change feed: for every item the
 * place of its latest version, who has which unique key, and all changes where the container keeps them. What queries look for has
 * indexes in memory beside them. Thread-safe.
 */
public final class Partition {
    private static final long LSN = 0;
    private static final long NEXT_NUMBER = 1;
    /** Up to there versions are kept no more. */
    private static final long FORGOTTEN_LSN = 2;
    /** The low bits of an item's number are its partition's index, so that numbers are unique in the container. */
    private static final int INDEX_BITS = 16;

    private static final String LAST_ID = "\uffff";

    private final Container container;
    private final Layout.Range place;
    private final Storage storage;
    private final MVMap<Long, StoredItem> items;
    private final MVMap<ItemKey, Long> numbers;
    private final MVMap<FeedPosition, Long> feed;
    private final MVMap<String, Long> uniques;
    private final MVMap<FeedPosition, LoggedChange> versions;
    private final MVMap<Long, Long> counters;
    private final PathIndexes indexes = new PathIndexes();
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private long lsn;
    private long nextNumber;
    private final Budget budget = new Budget();
    /** The place of the last transaction in the journal. */
    private long noted;

    private boolean dropped;
    private boolean retired;

    Partition(Container container, Layout.Range place, Storage storage) {
        this.container = container;
        this.place = place;
        this.storage = storage;
        var prefix = mapPrefix();
        items = storage.map(prefix + "items", LongDataType.INSTANCE, StoredItemType.INSTANCE);
        numbers = storage.map(prefix + "numbers", ItemKeyType.INSTANCE, LongDataType.INSTANCE);
        feed = storage.map(prefix + "feed", FeedPositionType.INSTANCE, LongDataType.INSTANCE);
        uniques = storage.map(prefix + "uniques", StringDataType.INSTANCE, LongDataType.INSTANCE);
        versions = storage.map(prefix + "versions", FeedPositionType.INSTANCE, LoggedChangeType.INSTANCE);
        counters = storage.counters(prefix + "counters");
        lsn = counters.getOrDefault(LSN, 1L);
        nextNumber = counters.getOrDefault(NEXT_NUMBER, 1L);
    }

    /** The id of its partition key range. */
    public String id() {
        return Integer.toString(place.index());
    }

    Layout.Range place() {
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
    public Budget budget() {
        return budget;
    }

    /** How many items it holds, expired ones that are not removed yet included. */
    public long itemCount() {
        return items.sizeAsLong();
    }

    /** About how many items a logical partition has, expired ones included; counted without reading them. */
    public long itemCount(PartitionKey key) {
        var effectiveKey = container.effectiveKey(key);
        return place(new ItemKey(effectiveKey, key.text(), LAST_ID)) - place(new ItemKey(effectiveKey, key.text(), ""));
    }

    private long place(ItemKey key) {
        long index = numbers.getKeyIndex(key);
        return index < 0 ? -index - 1 : index;
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
     * @throws Refusal 404 when the container is gone, 410 when the partition is
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
     * @throws Refusal 404 when the container is gone, 410 when the partition is
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
     * @throws Refusal 404 when the container is gone, 410 when the partition is
     */
    public PartitionView view() {
        return view(List.of());
    }

    /**
     * The partition as it is now, with indexes of paths. The first to ask for a path has its index made, as far as the container's policy has
     * one there; writers wait meanwhile.
     *
     * @throws Refusal 404 when the container is gone, 410 when the partition is
     */
    public PartitionView view(Collection<DocumentPath> wanted) {
        var made = told(lock.readLock(), () -> {
            checkPresent();
            var paths = indexed(wanted);
            return indexes.missing(paths).isEmpty() ? Optional.of(frozen(paths)) : Optional.<PartitionView>empty();
        });
        return made.orElseGet(() -> told(lock.writeLock(), () -> {
            checkPresent();
            var paths = indexed(wanted);
            indexes.make(indexes.missing(paths), this::forEachDocument);
            return frozen(paths);
        }));
    }

    private List<DocumentPath> indexed(Collection<DocumentPath> paths) {
        return paths.stream()
                .filter(path -> container.properties().indexing().isIndexed(path.policyNames()))
                .toList();
    }

    private void forEachDocument(BiConsumer<JsonNode, Long> reader) {
        items.forEach((number, item) -> reader.accept(item.document(), number));
    }

    private PartitionView frozen(List<DocumentPath> paths) {
        var roots = new PartitionView.Roots(
                PartitionView.Frozen.of(items),
                PartitionView.Frozen.of(numbers),
                PartitionView.Frozen.of(feed),
                PartitionView.Frozen.of(versions),
                indexes.frozen(paths));
        var lsns = new PartitionView.Lsns(lsn, counters.getOrDefault(FORGOTTEN_LSN, 0L));
        return new PartitionView(roots, lsns, container.properties().defaultTtlSeconds(), container.nowSeconds());
    }

    /** Forgets the indexes that the container's policy has no more. */
    void policyReplaced() {
        lock.writeLock().lock();
        try {
            indexes.keepOnly(path -> container.properties().indexing().isIndexed(path.policyNames()));
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
        var number = numbers.get(key);
        return number == null ? null : items.get(number);
    }

    /** The number of the item that has a unique key, null when none has it that is not expired. The caller holds the lock. */
    @Nullable
    Long uniqueOwner(String uniqueKey) {
        var number = uniques.get(uniqueKey);
        var item = number == null ? null : items.get(number);
        boolean isLive = item != null
                && !TimeToLive.isExpired(item, container.properties().defaultTtlSeconds(), container.nowSeconds());
        return isLive ? number : null;
    }

    private List<String> uniqueKeys(StoredItem item) {
        var keys = container.properties().uniqueKeys();
        return keys.isEmpty() ? List.of() : keys.of(item.key(), item.document());
    }

    /** Whether an index reads what is written. The caller holds the lock. */
    boolean isIndexed() {
        return !indexes.isEmpty();
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
                forgetVersions();
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

    private void forgetVersions() {
        long oldest = container.oldestVersionSeconds();
        var past = new ArrayList<FeedPosition>();
        var cursor = versions.cursor(null);
        while (cursor.hasNext()) {
            var position = cursor.next();
            if (cursor.getValue().timestampSeconds() >= oldest) {
                break;
            }
            past.add(position);
        }
        past.forEach(versions::remove);
        if (!past.isEmpty()) {
            counters.put(FORGOTTEN_LSN, past.get(past.size() - 1).lsn());
        }
    }

    /** The lock that keeps everybody else out while its items move. */
    Lock moving() {
        return lock.writeLock();
    }

    /** Takes over what another one holds of this one's part of the key space. The caller keeps everybody out of both. */
    void absorb(Partition other) {
        other.items.forEach((number, item) -> {
            if (range().contains(item.effectiveKey())) {
                put(item);
            }
        });
        other.versions.forEach((position, change) -> {
            if (range().contains(change.item().effectiveKey())) {
                versions.put(position, change);
            }
        });
        long forgotten = other.counters.getOrDefault(FORGOTTEN_LSN, 0L);
        counters.put(FORGOTTEN_LSN, Math.max(forgotten, counters.getOrDefault(FORGOTTEN_LSN, 0L)));
        lsn = Math.max(lsn, other.lsn);
        nextNumber = Math.max(nextNumber, other.nextNumber);
        saveCounters();
    }

    /** From now on its requests are answered 410. */
    void retire() {
        retired = true;
        indexes.keepOnly(path -> false);
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
            indexes.keepOnly(path -> false);
            storage.drop(items);
            storage.drop(numbers);
            storage.drop(feed);
            storage.drop(uniques);
            storage.drop(versions);
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
        if (retired) {
            throw Refusal.partitionGone("The partition key range is gone: " + id());
        }
    }

    private void apply(WriteTransaction transaction) {
        storage.writing().lock();
        try {
            noted = storage.note(() -> entry(transaction));
            lsn++;
            transaction.changes().forEach((key, change) -> apply(key, change.before(), change.after()));
            transaction.log().forEach(change -> versions.put(change.position(), change));
            saveCounters();
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
            entry.writes().forEach(write -> apply(write.key(), stored(write.key()), write.after()));
            entry.log().forEach(change -> versions.put(change.position(), change));
            saveCounters();
        } else if (entry.lsn() > lsn) {
            throw new IllegalStateException("The journal goes on at " + entry.lsn() + " where the partition "
                    + entry.partition() + " ends at " + lsn);
        }
    }

    private void apply(ItemKey key, @Nullable StoredItem before, @Nullable StoredItem after) {
        if (before != null) {
            feed.remove(before.version().position());
            if (!indexes.isEmpty()) {
                indexes.remove(before.document(), before.number());
            }
            uniqueKeys(before).forEach(uniqueKey -> uniques.remove(uniqueKey, before.number()));
            if (after == null || after.number() != before.number()) {
                items.remove(before.number());
                numbers.remove(key);
            }
        }
        if (after != null) {
            put(after);
        }
    }

    private void put(StoredItem item) {
        items.put(item.number(), item);
        numbers.put(item.key(), item.number());
        feed.put(item.version().position(), item.number());
        if (!indexes.isEmpty()) {
            indexes.put(item.document(), item.number());
        }
        uniqueKeys(item).forEach(uniqueKey -> uniques.put(uniqueKey, item.number()));
    }

    private void saveCounters() {
        counters.put(LSN, lsn);
        counters.put(NEXT_NUMBER, nextNumber);
    }
}
