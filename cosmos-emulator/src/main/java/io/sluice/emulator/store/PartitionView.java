package io.sluice.emulator.store;

import io.sluice.emulator.query.condition.DocumentPath;
import io.sluice.emulator.store.index.IndexSnapshot;
import io.sluice.emulator.store.item.FeedPosition;
import io.sluice.emulator.store.item.ItemKey;
import io.sluice.emulator.store.item.LoggedChange;
import io.sluice.emulator.store.item.StoredItem;
import io.sluice.emulator.store.key.PartitionKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.StreamSupport;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.RootReference;
import org.jspecify.annotations.Nullable;

/**
 * A consistent view of a physical partition between two transactions. It shows no later writes and no expired items.
 * Thread-safe.
 */
public final class PartitionView {
    private final Maps maps;
    private final Lsns lsns;
    private final @Nullable Integer defaultTtlSeconds;
    private final long nowSeconds;

    /** Snapshots of a partition's maps, taken at one moment. */
    record Maps(
            MapSnapshot<Long, StoredItem> items,
            MapSnapshot<ItemKey, Long> numbers,
            MapSnapshot<FeedPosition, Long> feed,
            MapSnapshot<FeedPosition, LoggedChange> versions,
            Map<DocumentPath, IndexSnapshot> indexes) {}

    /** A map with the root it had at one moment. */
    record MapSnapshot<K, V>(MVMap<K, V> map, RootReference<K, V> root) {
        static <K, V> MapSnapshot<K, V> of(MVMap<K, V> map) {
            return new MapSnapshot<>(map, map.flushAndGetRoot());
        }

        Cursor<K, V> cursor(@Nullable K from) {
            return map.cursor(root, from, null, false);
        }

        @Nullable
        V get(K key) {
            return map.get(root.root, key);
        }
    }

    /**
     * Log sequence numbers.
     *
     * @param last of the last transaction
     * @param expiredVersions the last one whose versions are no longer kept
     */
    record Lsns(long last, long expiredVersions) {}

    PartitionView(Maps maps, Lsns lsns, @Nullable Integer defaultTtlSeconds, long nowSeconds) {
        this.maps = maps;
        this.lsns = lsns;
        this.defaultTtlSeconds = defaultTtlSeconds;
        this.nowSeconds = nowSeconds;
    }

    /** The log sequence number of the last transaction in it. */
    public long lsn() {
        return lsns.last();
    }

    /** The items in order of their creation, from a number on. */
    public Iterator<StoredItem> items(long fromNumber) {
        var cursor = maps.items().cursor(fromNumber);
        return new Live<>(cursor, (number, item) -> item);
    }

    /** The items of one logical partition in order of their creation, from a number on. It reads nothing but these. */
    public Iterator<StoredItem> items(String effectiveKey, PartitionKey key, long fromNumber) {
        var found = new ArrayList<StoredItem>();
        var cursor = maps.numbers().cursor(new ItemKey(effectiveKey, key.text(), ""));
        while (cursor.hasNext()) {
            var next = cursor.next();
            if (!next.effectiveKey().equals(effectiveKey)
                    || !next.partitionKey().equals(key.text())) {
                break;
            }
            var item = indexed(cursor.getValue());
            if (item.number() >= fromNumber && isLive(item)) {
                found.add(item);
            }
        }
        found.sort(Comparator.comparingLong(StoredItem::number));
        return found.iterator();
    }

    /** How many items it holds, expired ones included. */
    public long itemCount() {
        return maps.items().root().root.getTotalCount();
    }

    /** The index of a path, empty where there is none. */
    public Optional<IndexSnapshot> index(DocumentPath path) {
        return Optional.ofNullable(maps.indexes().get(path));
    }

    /** The items with these numbers, which an index gave, in that order. It reads nothing but these. */
    public Iterator<StoredItem> items(PrimitiveIterator.OfLong numbers) {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(numbers, Spliterator.ORDERED), false)
                .map(this::indexed)
                .filter(this::isLive)
                .iterator();
    }

    /** The item with a number, if it is there. */
    Optional<StoredItem> item(long number) {
        return Optional.ofNullable(maps.items().get(number)).filter(this::isLive);
    }

    /** The items whose latest version was written after a log sequence number, in the order they were written. */
    public Iterator<StoredItem> changesAfter(long afterLsn) {
        var from = FeedPosition.after(afterLsn);
        return new Live<>(maps.feed().cursor(from), (position, number) -> indexed(number));
    }

    /** The log sequence number up to which {@link #versionsAfter} no longer has changes. */
    public long expiredVersionsLsn() {
        return lsns.expiredVersions();
    }

    /** All changes after a log sequence number, in the order they were made. None where versions are not kept. */
    public Iterator<LoggedChange> versionsAfter(long afterLsn) {
        var cursor = maps.versions().cursor(FeedPosition.after(afterLsn));
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return cursor.hasNext();
            }

            @Override
            public LoggedChange next() {
                cursor.next();
                return cursor.getValue();
            }
        };
    }

    /** The items that have expired and are still stored. */
    List<StoredItem> expired() {
        var found = new ArrayList<StoredItem>();
        var cursor = maps.items().cursor(null);
        while (cursor.hasNext()) {
            cursor.next();
            if (!isLive(cursor.getValue())) {
                found.add(cursor.getValue());
            }
        }
        return found;
    }

    private StoredItem indexed(long number) {
        var item = maps.items().get(number);
        if (item == null) {
            throw new IllegalStateException("An index names an item that is not there: " + number);
        }
        return item;
    }

    private boolean isLive(StoredItem item) {
        return !TimeToLive.isExpired(item, defaultTtlSeconds, nowSeconds);
    }

    /** Finds the item of a map entry. */
    private interface Resolve<K, V> {
        StoredItem item(K key, V value);
    }

    /** Iterates over live items. */
    private final class Live<K, V> implements Iterator<StoredItem> {
        private final Cursor<K, V> cursor;
        private final Resolve<K, V> resolve;
        private @Nullable StoredItem next;

        Live(Cursor<K, V> cursor, Resolve<K, V> resolve) {
            this.cursor = cursor;
            this.resolve = resolve;
        }

        @Override
        public boolean hasNext() {
            while (next == null && cursor.hasNext()) {
                var key = cursor.next();
                var item = resolve.item(key, cursor.getValue());
                if (isLive(item)) {
                    next = item;
                }
            }
            return next != null;
        }

        @Override
        public StoredItem next() {
            var item = hasNext() ? next : null;
            if (item == null) {
                throw new NoSuchElementException();
            }
            next = null;
            return item;
        }
    }
}
