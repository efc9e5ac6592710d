package io.sluice.emulator.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.condition.DocumentPath;
import io.sluice.emulator.store.disk.Storage;
import io.sluice.emulator.store.index.PathIndexes;
import io.sluice.emulator.store.item.FeedPosition;
import io.sluice.emulator.store.item.FeedPositionType;
import io.sluice.emulator.store.item.ItemKey;
import io.sluice.emulator.store.item.ItemKeyType;
import io.sluice.emulator.store.item.LoggedChange;
import io.sluice.emulator.store.item.LoggedChangeType;
import io.sluice.emulator.store.item.StoredItem;
import io.sluice.emulator.store.item.StoredItemType;
import io.sluice.emulator.store.key.EpkRange;
import io.sluice.emulator.store.key.PartitionKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.type.LongDataType;
import org.h2.mvstore.type.StringDataType;
import org.jspecify.annotations.Nullable;

/**
 * The maps of a partition, and the code that keeps them consistent: items by number (their order of creation), numbers
 * by key, the change feed with the position of every item's latest version, owners of unique keys, and all changes when
 * the container keeps them. Indexes for queries are in memory.
 *
 * <p>The partition's lock guards it.
 */
final class PartitionContents {
    private static final String LAST_ID = "\uffff";

    private final Container container;
    private final MVMap<Long, StoredItem> items;
    private final MVMap<ItemKey, Long> numbers;
    private final MVMap<FeedPosition, Long> feed;
    private final MVMap<String, Long> uniques;
    private final MVMap<FeedPosition, LoggedChange> versions;
    private final PartitionCounters counters;
    private final PathIndexes indexes = new PathIndexes();

    /** Opens the maps with a name prefix; they are empty when they are new. */
    PartitionContents(Container container, String prefix, Storage storage, PartitionCounters counters) {
        this.container = container;
        items = storage.map(prefix + "items", LongDataType.INSTANCE, StoredItemType.INSTANCE);
        numbers = storage.map(prefix + "numbers", ItemKeyType.INSTANCE, LongDataType.INSTANCE);
        feed = storage.map(prefix + "feed", FeedPositionType.INSTANCE, LongDataType.INSTANCE);
        uniques = storage.map(prefix + "uniques", StringDataType.INSTANCE, LongDataType.INSTANCE);
        versions = storage.map(prefix + "versions", FeedPositionType.INSTANCE, LoggedChangeType.INSTANCE);
        this.counters = counters;
    }

    /** The prefix of the names of a partition's maps. */
    static String mapPrefix(String containerRid, int index) {
        return containerRid + "/" + index + "/";
    }

    /** How many items there are, including expired ones that are not removed yet. */
    long itemCount() {
        return items.sizeAsLong();
    }

    /** Roughly how many items a logical partition has, counted without reading them. */
    long itemCount(String effectiveKey, PartitionKey key) {
        return place(new ItemKey(effectiveKey, key.text(), LAST_ID)) - place(new ItemKey(effectiveKey, key.text(), ""));
    }

    private long place(ItemKey key) {
        long index = numbers.getKeyIndex(key);
        return index < 0 ? -index - 1 : index;
    }

    /** The version on record, expired or not. */
    @Nullable
    StoredItem stored(ItemKey key) {
        var number = numbers.get(key);
        return number == null ? null : items.get(number);
    }

    /** The number of the live item that has a unique key, null for none. */
    @Nullable
    Long uniqueOwner(String uniqueKey) {
        var number = uniques.get(uniqueKey);
        var item = number == null ? null : items.get(number);
        return item == null
                        || TimeToLive.isExpired(
                                item, container.properties().defaultTtlSeconds(), container.nowSeconds())
                ? null
                : number;
    }

    private List<String> uniqueKeys(StoredItem item) {
        var keys = container.properties().uniqueKeys();
        return keys.isEmpty() ? List.of() : keys.of(item.key(), item.document());
    }

    /**
     * Replaces versions of items by others in all maps. All former ones go before any comes: an item that was renamed
     * may have left its key to another.
     */
    void apply(Map<ItemKey, WriteTransaction.Change> changes) {
        changes.forEach((key, change) -> {
            if (change.before() != null) {
                remove(key, change.before(), change.after());
            }
        });
        changes.values().forEach(change -> {
            if (change.after() != null) {
                put(change.after());
            }
        });
    }

    private void remove(ItemKey key, StoredItem before, @Nullable StoredItem after) {
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

    private void put(StoredItem item) {
        putWithoutUniques(item);
        uniqueKeys(item).forEach(uniqueKey -> uniques.put(uniqueKey, item.number()));
    }

    private void putWithoutUniques(StoredItem item) {
        items.put(item.number(), item);
        numbers.put(item.key(), item.number());
        feed.put(item.version().position(), item.number());
        if (!indexes.isEmpty()) {
            indexes.put(item.document(), item.number());
        }
    }

    /** Keeps changes for the feed of all versions. */
    void log(Collection<LoggedChange> changes) {
        changes.forEach(change -> versions.put(change.position(), change));
    }

    /** Removes versions older than a time. */
    void removeVersions(long oldestSeconds) {
        var past = new ArrayList<FeedPosition>();
        var cursor = versions.cursor(null);
        while (cursor.hasNext()) {
            var position = cursor.next();
            if (cursor.getValue().timestampSeconds() >= oldestSeconds) {
                break;
            }
            past.add(position);
        }
        past.forEach(versions::remove);
        if (!past.isEmpty()) {
            counters.expireVersions(past.get(past.size() - 1).lsn());
        }
    }

    /**
     * Copies the items in a range of the key space from another partition. Owners of unique keys are copied, not found
     * again: an expired item no longer owns what it lost to a live one.
     */
    void absorb(PartitionContents other, EpkRange range) {
        other.items.forEach((number, item) -> {
            if (range.contains(item.effectiveKey())) {
                putWithoutUniques(item);
            }
        });
        other.uniques.forEach((uniqueKey, number) -> {
            if (items.containsKey(number)) {
                uniques.put(uniqueKey, number);
            }
        });
        other.versions.forEach((position, change) -> {
            if (range.contains(change.item().effectiveKey())) {
                versions.put(position, change);
            }
        });
    }

    /** Removes everything, so that other contents can be {@linkplain #absorb absorbed}. */
    void clear() {
        dropIndexes();
        items.clear();
        numbers.clear();
        feed.clear();
        uniques.clear();
        versions.clear();
    }

    /** Selects the paths that the container's policy indexes. */
    List<DocumentPath> indexed(Collection<DocumentPath> paths) {
        return paths.stream().filter(this::isIndexed).toList();
    }

    private boolean isIndexed(DocumentPath path) {
        return container.properties().isIndexed(path);
    }

    /** Whether all these paths have indexes. */
    boolean hasIndexes(List<DocumentPath> paths) {
        return indexes.missing(paths).isEmpty();
    }

    /** Builds the missing indexes by reading every item. */
    void buildIndexes(List<DocumentPath> paths) {
        indexes.build(indexes.missing(paths), this::forEachDocument);
    }

    private void forEachDocument(BiConsumer<JsonNode, Long> reader) {
        items.forEach((number, item) -> reader.accept(item.document(), number));
    }

    /** Whether there are indexes to update with every write. */
    boolean isIndexed() {
        return !indexes.isEmpty();
    }

    /** Drops indexes of paths that the container's policy no longer indexes. */
    void dropUnusedIndexes() {
        indexes.keepOnly(this::isIndexed);
    }

    void dropIndexes() {
        indexes.keepOnly(path -> false);
    }

    /** A consistent view of the partition as it is now, with the indexes of these paths. */
    PartitionView snapshot(List<DocumentPath> paths) {
        var maps = new PartitionView.Maps(
                PartitionView.MapSnapshot.of(items),
                PartitionView.MapSnapshot.of(numbers),
                PartitionView.MapSnapshot.of(feed),
                PartitionView.MapSnapshot.of(versions),
                indexes.snapshot(paths));
        var lsns = new PartitionView.Lsns(counters.lsn(), counters.expiredVersionsLsn());
        return new PartitionView(maps, lsns, container.properties().defaultTtlSeconds(), container.nowSeconds());
    }

    /** Removes all maps from the storage. */
    void drop(Storage storage) {
        dropIndexes();
        storage.drop(items);
        storage.drop(numbers);
        storage.drop(feed);
        storage.drop(uniques);
        storage.drop(versions);
        counters.drop(storage);
    }
}
