package io.sluice.emulator.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.disk.JournalEntry;
import io.sluice.emulator.store.item.FeedPosition;
import io.sluice.emulator.store.item.ItemKey;
import io.sluice.emulator.store.item.LoggedChange;
import io.sluice.emulator.store.item.StoredItem;
import io.sluice.emulator.store.item.SystemProperties;
import io.sluice.emulator.store.key.PartitionKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes on one physical partition that apply together or not at all. The transaction sees its own writes;
 * others see them only after its end. Used by the one thread that holds the partition's lock.
 */
public final class WriteTransaction {
    private final Partition partition;
    private final PartitionContents contents;
    private final long lsn;
    private final long nowSeconds;
    private final Map<ItemKey, Change> changes = new LinkedHashMap<>();
    /** The owners of the unique keys that change here: the number of an item, or none. */
    private final Map<String, Optional<Long>> uniques = new HashMap<>();

    private final List<LoggedChange> log = new ArrayList<>();

    private int ordinal;
    private @Nullable PartitionKey lastKey;
    private String lastEffectiveKey = "";

    /**
     * What becomes of an item.
     *
     * @param before as stored now, expired or not; null when it is new
     * @param after the version to store, null when it is deleted
     */
    record Change(@Nullable StoredItem before, @Nullable StoredItem after) {}

    WriteTransaction(Partition partition, PartitionContents contents, long lsn, long nowSeconds) {
        this.partition = partition;
        this.contents = contents;
        this.lsn = lsn;
        this.nowSeconds = nowSeconds;
        this.ordinal = FeedPosition.firstOrdinal(partition.restores());
    }

    /**
     * The item with an id.
     *
     * @throws StatusException 404 when there is none, or it has expired
     */
    public StoredItem read(PartitionKey partitionKey, String id) {
        return find(key(partitionKey, id)).orElseThrow(StatusException::notFound);
    }

    /**
     * Stores a new item.
     *
     * @throws StatusException 409 when its id is taken, 400 when the document is invalid, 413 when it is too large
     */
    public StoredItem create(PartitionKey partitionKey, ObjectNode document) {
        var key = checkedKey(partitionKey, document);
        if (find(key).isPresent()) {
            throw StatusException.conflict();
        }
        return write(key, null, document);
    }

    /**
     * Stores an item, whether its id is new or not.
     *
     * @throws StatusException 412 when it exists and the precondition does not hold, else as {@link #create}
     */
    public StoredItem upsert(PartitionKey partitionKey, ObjectNode document, Precondition precondition) {
        var key = checkedKey(partitionKey, document);
        var existing = find(key).orElse(null);
        if (existing != null) {
            precondition.check(existing.etag());
        }
        return write(key, existing, document);
    }

    /**
     * Stores a new version of an item, which may have another id: the resource id is what an item keeps.
     *
     * @throws StatusException 404 when there is none, 412 when the precondition does not hold, 400, 409 or 413 as
     *     {@link #create}
     */
    public StoredItem replace(PartitionKey partitionKey, String id, ObjectNode document, Precondition precondition) {
        var existing = read(partitionKey, id);
        precondition.check(existing.etag());
        var key = checkedKey(partitionKey, document);
        if (!key.equals(existing.key())) {
            if (find(key).isPresent()) {
                throw StatusException.conflict();
            }
            recordChange(existing.key(), null);
        }
        return write(key, existing, document);
    }

    /**
     * Stores what a function makes of an item's document. The function gets a copy of its own.
     *
     * @throws StatusException as {@link #replace}, or what the function throws
     */
    public StoredItem edit(
            PartitionKey partitionKey, String id, UnaryOperator<ObjectNode> edit, Precondition precondition) {
        var existing = read(partitionKey, id);
        precondition.check(existing.etag());
        var edited = edit.apply(existing.document().deepCopy());
        var key = checkedKey(partitionKey, edited);
        if (!key.id().equals(id)) {
            throw StatusException.badRequest(
                    "A patch can't change the id: it is '" + id + "', the patch makes it '" + key.id() + "'");
        }
        return write(key, existing, edited);
    }

    /**
     * Removes an item.
     *
     * @return it
     * @throws StatusException 404 when there is none, 412 when the precondition does not hold
     */
    public StoredItem delete(PartitionKey partitionKey, String id, Precondition precondition) {
        var existing = read(partitionKey, id);
        precondition.check(existing.etag());
        remove(existing, LoggedChange.Kind.DELETE);
        return existing;
    }

    /** Whether an item exists. */
    public boolean exists(PartitionKey partitionKey, String id) {
        return find(key(partitionKey, id)).isPresent();
    }

    /** Removes an expired item, unless it has been written again since. */
    void expire(StoredItem item) {
        var stored = contents.stored(item.key());
        if (stored != null && stored.etag().equals(item.etag())) {
            remove(stored, LoggedChange.Kind.EXPIRE);
        }
    }

    /** The changes for the feed of all versions; empty when the container does not keep them. */
    List<LoggedChange> log() {
        return log;
    }

    /** The transaction as the journal keeps it. */
    JournalEntry toJournalEntry(String mapPrefix, long nextNumber) {
        var writes = changes.entrySet().stream()
                .map(change -> new JournalEntry.Write(
                        change.getKey(), change.getValue().after()))
                .toList();
        return new JournalEntry(mapPrefix, lsn, nextNumber, writes, log);
    }

    Map<ItemKey, Change> changes() {
        return changes;
    }

    private ItemKey checkedKey(PartitionKey partitionKey, ObjectNode document) {
        var definition = partition.container().properties().partitionKey();
        if (!definition.keyOf(document).equals(partitionKey)) {
            throw new StatusException(
                    400,
                    1001,
                    "PartitionKey extracted from document doesn't match the one specified in the header. Learn more:"
                            + " https://aka.ms/CosmosDB/sql/errors/wrong-pk-value");
        }
        return key(partitionKey, ItemRules.idOf(document));
    }

    private ItemKey key(PartitionKey partitionKey, String id) {
        return new ItemKey(effectiveKey(partitionKey), partitionKey.text(), id);
    }

    /** Keeps the last result: a transaction nearly always has one partition key, and the hash is expensive. */
    private String effectiveKey(PartitionKey partitionKey) {
        var last = lastKey;
        if (last == null || !last.equals(partitionKey)) {
            lastEffectiveKey = partition.container().effectiveKey(partitionKey);
            lastKey = partitionKey;
        }
        return lastEffectiveKey;
    }

    private Optional<StoredItem> find(ItemKey key) {
        var change = changes.get(key);
        if (change != null) {
            return Optional.ofNullable(change.after());
        }
        return Optional.ofNullable(contents.stored(key))
                .filter(item -> !TimeToLive.isExpired(
                        item, partition.container().properties().defaultTtlSeconds(), nowSeconds));
    }

    private StoredItem write(ItemKey key, @Nullable StoredItem existing, ObjectNode document) {
        var ttlSeconds = TimeToLive.of(document);
        long number = existing == null ? partition.nextNumber() : existing.number();
        var version = new StoredItem.Version(new FeedPosition(lsn, partition.index(), ordinal++), nowSeconds);
        var rid = ResourceIds.item(partition.container().rid(), number);
        SystemProperties.stamp(document, rid, partition.container().selfLink() + "docs/" + rid + "/", version);
        var json = Json.bytes(document);
        ItemRules.checkSize(json);
        var item = new StoredItem(key, number, version, ttlSeconds, json);
        claimUniqueKeys(existing, item, document);
        if (contents.isIndexed()) {
            item.remember(document);
        }
        if (partition.container().keepsVersions()) {
            log.add(LoggedChange.written(existing, item));
        }
        recordChange(key, item);
        return item;
    }

    private void remove(StoredItem item, LoggedChange.Kind kind) {
        releaseUniqueKeys(item);
        if (partition.container().keepsVersions()) {
            var position = new FeedPosition(lsn, partition.index(), ordinal++);
            log.add(LoggedChange.removed(kind, position, nowSeconds, item));
        }
        recordChange(item.key(), null);
    }

    private void claimUniqueKeys(@Nullable StoredItem before, StoredItem after, ObjectNode document) {
        var keys = partition.container().properties().uniqueKeys();
        if (keys.isEmpty()) {
            return;
        }
        if (before != null) {
            releaseUniqueKeys(before);
        }
        for (var uniqueKey : keys.of(after.key(), document)) {
            var owner = uniques.computeIfAbsent(uniqueKey, key -> Optional.ofNullable(contents.uniqueOwner(key)));
            if (owner.isPresent() && owner.get() != after.number()) {
                throw StatusException.uniqueKeyViolated();
            }
            uniques.put(uniqueKey, Optional.of(after.number()));
        }
    }

    private void releaseUniqueKeys(StoredItem item) {
        var keys = partition.container().properties().uniqueKeys();
        if (!keys.isEmpty()) {
            keys.of(item.key(), item.document()).forEach(uniqueKey -> uniques.put(uniqueKey, Optional.empty()));
        }
    }

    /** Records a change. A second change of an item replaces the first, and moves the item to the end of the feed. */
    private void recordChange(ItemKey key, @Nullable StoredItem after) {
        var earlier = changes.remove(key);
        var before = earlier == null ? contents.stored(key) : earlier.before();
        if (before != null || after != null) {
            changes.put(key, new Change(before, after));
        }
    }
}
