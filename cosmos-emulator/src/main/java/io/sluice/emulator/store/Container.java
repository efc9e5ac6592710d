package io.sluice.emulator.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.disk.Storage;
import io.sluice.emulator.store.item.ItemKey;
import io.sluice.emulator.store.key.EffectivePartitionKey;
import io.sluice.emulator.store.key.EpkRange;
import io.sluice.emulator.store.key.PartitionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A container: its properties, and the physical partitions that hold its items. Thread-safe. */
public final class Container {
    private final String rid;
    private final String databaseRid;
    private final long createdSeconds;
    private final Storage storage;
    private final RetentionClock retention;
    private final RetiredPartitions retired;
    private volatile ContainerProperties properties;
    private volatile Partitioning partitioning;

    /** A layout with its partitions, in the order of the key space. */
    private record Partitioning(PartitionLayout layout, List<Partition> partitions) {}

    /**
     * What stays for the life of a container.
     *
     * @param rid its resource id
     * @param databaseRid its database's
     * @param createdSeconds when it was created, in seconds since 1970
     */
    record Identity(String rid, String databaseRid, long createdSeconds) {}

    Container(
            Identity identity,
            PartitionLayout layout,
            ContainerProperties properties,
            Storage storage,
            RetentionClock retention) {
        this.rid = identity.rid();
        this.databaseRid = identity.databaseRid();
        this.createdSeconds = identity.createdSeconds();
        this.properties = properties;
        this.retention = retention;
        this.storage = storage;
        this.retired = new RetiredPartitions(storage);
        retired.dropFormer(rid, layout);
        this.partitioning = new Partitioning(
                layout,
                layout.live().stream()
                        .map(placement -> new Partition(this, placement, storage))
                        .toList());
    }

    /** Its resource id. */
    public String rid() {
        return rid;
    }

    /** Its database's resource id. */
    public String databaseRid() {
        return databaseRid;
    }

    /** Its path by resource ids, with a slash at its end. */
    public String selfLink() {
        return "dbs/" + databaseRid + "/colls/" + rid + "/";
    }

    /** Its properties, as a client set them last. */
    public ContainerProperties properties() {
        return properties;
    }

    /** Its physical partitions, in the order of the key space. */
    public List<Partition> partitions() {
        return partitioning.partitions();
    }

    /** The version of the layout, which grows whenever partitions split or merge. */
    public int layoutVersion() {
        return partitioning.layout().version();
    }

    /** The physical partition with the id of its key range. */
    public Optional<Partition> partition(String id) {
        return partitions().stream()
                .filter(partition -> partition.id().equals(id))
                .findFirst();
    }

    /**
     * The position of a key in the key space.
     *
     * @throws StatusException 400 when the key does not fit the container's definition
     */
    public String effectiveKey(PartitionKey key) {
        properties.partitionKey().check(key);
        return EffectivePartitionKey.of(properties.partitionKey(), key);
    }

    /**
     * The range that holds all items whose hierarchical partition key begins with a prefix.
     *
     * @throws StatusException 400 when the key does not fit the container's definition
     */
    public EpkRange effectiveRange(PartitionKey prefix) {
        var definition = properties.partitionKey();
        definition.checkPrefix(prefix);
        var min = EffectivePartitionKey.of(definition, prefix);
        return new EpkRange(min, min + EpkRange.FULL.max());
    }

    /**
     * The physical partition that holds a key.
     *
     * @throws StatusException 400 when the key does not fit the container's definition
     */
    public Partition partitionOf(PartitionKey key) {
        var effectiveKey = effectiveKey(key);
        for (var partition : partitions()) {
            if (partition.range().contains(effectiveKey)) {
                return partition;
            }
        }
        throw new IllegalStateException("No partition holds " + effectiveKey);
    }

    /** Whether its change feed has all versions and deletes. */
    public boolean keepsVersions() {
        return retention.keepsVersions(properties);
    }

    /** The time of the oldest change that the feed of all versions still has, in seconds since 1970. */
    public long oldestVersionSeconds() {
        return retention.oldestVersionSeconds(properties);
    }

    /** The container as a client reads it. */
    public ObjectNode describe() {
        var described = properties.body().deepCopy();
        described.put("_rid", rid).put("_ts", createdSeconds).put("_self", selfLink());
        described.put("_etag", properties.etag()).put("_docs", "docs/").put("_sprocs", "sprocs/");
        return described.put("_triggers", "triggers/").put("_udfs", "udfs/").put("_conflicts", "conflicts/");
    }

    ItemKey key(PartitionKey partitionKey, String id) {
        return new ItemKey(effectiveKey(partitionKey), partitionKey.text(), id);
    }

    long nowSeconds() {
        return retention.nowSeconds();
    }

    void replaceProperties(ContainerProperties replacement) {
        properties = replacement;
        partitions().forEach(Partition::dropUnusedIndexes);
    }

    PartitionLayout layout() {
        return partitioning.layout();
    }

    /** What never changes, to be stored with the container. */
    Identity identity() {
        return new Identity(rid, databaseRid, createdSeconds);
    }

    /**
     * Moves items into the partitions of another layout, and stores it. Requests to the former partitions wait
     * meanwhile, and get 410 then.
     *
     * @param save stores the layout in the same transaction
     */
    List<Partition> changeLayout(PartitionLayout changed, Runnable save) {
        var now = partitioning;
        var retiring = now.partitions().stream()
                .filter(partition -> !changed.live().contains(partition.placement()))
                .toList();
        var added = new ArrayList<Partition>();
        retiring.forEach(partition -> partition.writeLock().lock());
        try {
            storage.transact(() -> moveItems(now, changed, save, retiring, added));
            // Before anyone writes to the new partitions: the journal of one that the file lacks is not replayed.
            storage.commit();
            return added;
        } finally {
            added.forEach(partition -> partition.writeLock().unlock());
            retiring.forEach(partition -> partition.writeLock().unlock());
        }
    }

    private void moveItems(
            Partitioning now, PartitionLayout changed, Runnable save, List<Partition> retiring, List<Partition> added) {
        var after = new ArrayList<Partition>();
        for (var placement : changed.live()) {
            var kept = now.partitions().stream()
                    .filter(partition -> partition.placement().equals(placement))
                    .findFirst();
            after.add(kept.orElseGet(() -> createFrom(placement, retiring, added)));
        }
        partitioning = new Partitioning(changed, List.copyOf(after));
        retiring.forEach(Partition::retire);
        retired.add(retiring);
        save.run();
    }

    /** Copies of its partitions in another storage, all of one moment. */
    List<Partition> copyTo(Storage other) {
        var locked = partitions();
        locked.forEach(partition -> partition.readLock().lock());
        try {
            return locked.stream().map(partition -> partition.copyTo(other)).toList();
        } finally {
            locked.forEach(partition -> partition.readLock().unlock());
        }
    }

    /** Makes the container hold what its partitions, or former partitions of it, held when they were copied. */
    void restore(List<Partition> copies) {
        var locked = partitions();
        locked.forEach(partition -> partition.writeLock().lock());
        try {
            storage.exclusively(() -> locked.forEach(partition -> partition.restore(copies)));
        } finally {
            locked.forEach(partition -> partition.writeLock().unlock());
        }
    }

    private Partition createFrom(PartitionLayout.Placement placement, List<Partition> sources, List<Partition> added) {
        var partition = new Partition(this, placement, storage);
        partition.writeLock().lock();
        added.add(partition);
        sources.stream()
                .filter(source -> source.range().overlaps(placement.keys()))
                .forEach(partition::absorb);
        partition.takeLsn();
        return partition;
    }

    void sweep() {
        partitions().forEach(Partition::sweep);
        retired.drop();
    }

    void drop() {
        partitions().forEach(Partition::drop);
        retired.drop();
        retired.drop();
    }
}
