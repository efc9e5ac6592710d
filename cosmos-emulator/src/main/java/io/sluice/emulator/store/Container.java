package io.sluice.emulator.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.disk.Storage;
import io.sluice.emulator.store.item.ItemKey;
import io.sluice.emulator.store.key.EffectivePartitionKey;
import io.sluice.emulator.store.key.EpkRange;
import io.sluice.emulator.store.key.PartitionKey;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A container: what it was told to be, and the physical partitions that hold its items. Thread-safe. */
public final class Container {
    private final String rid;
    private final String databaseRid;
    private final long createdSeconds;
    private final Storage storage;
    private final InstantSource clock;
    private final VersionRetention versions;
    private final RetiredPartitions retired;
    private volatile ContainerProperties properties;
    private volatile Shape shape;

    /** A layout and its partitions, in the order of the key space. */
    private record Shape(PartitionLayout layout, List<Partition> partitions) {}

    /**
     * What stays for the life of a container.
     *
     * @param rid its resource id
     * @param databaseRid its database's
     * @param createdSeconds when it was made, in seconds since 1970
     */
    record Identity(String rid, String databaseRid, long createdSeconds) {}

    /**
     * What all containers of an account share.
     *
     * @param clock for timestamps and expiry
     * @param versions how long all versions are kept
     */
    record Surroundings(InstantSource clock, VersionRetention versions) {}

    Container(
            Identity identity,
            PartitionLayout layout,
            ContainerProperties properties,
            Storage storage,
            Surroundings surroundings) {
        this.rid = identity.rid();
        this.databaseRid = identity.databaseRid();
        this.createdSeconds = identity.createdSeconds();
        this.properties = properties;
        this.clock = surroundings.clock();
        this.versions = surroundings.versions();
        this.storage = storage;
        this.retired = new RetiredPartitions(storage);
        retired.dropFormer(rid, layout);
        this.shape = new Shape(
                layout,
                layout.live().stream()
                        .map(place -> new Partition(this, place, storage))
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

    /** What it was told to be. */
    public ContainerProperties properties() {
        return properties;
    }

    /** Its physical partitions, in the order of the key space. */
    public List<Partition> partitions() {
        return shape.partitions();
    }

    /** Grows whenever partitions split or merge. */
    public int layoutVersion() {
        return shape.layout().version();
    }

    /** The physical partition with the id of its key range. */
    public Optional<Partition> partition(String id) {
        return partitions().stream()
                .filter(partition -> partition.id().equals(id))
                .findFirst();
    }

    /**
     * The place of a key in the key space.
     *
     * @throws StatusException 400 when the container can't place such a key
     */
    public String effectiveKey(PartitionKey key) {
        properties.partitionKey().check(key);
        return EffectivePartitionKey.of(properties.partitionKey(), key);
    }

    /**
     * The keys of all items whose hierarchical partition key begins so.
     *
     * @throws StatusException 400 when the container can't place such a key
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
     * @throws StatusException 400 when the container can't place such a key
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

    /** Whether its change feed knows all versions and deletes. */
    public boolean keepsVersions() {
        return versions.isKept(properties);
    }

    /** The oldest change that the feed of all versions still tells, in seconds since 1970. */
    public long oldestVersionSeconds() {
        return nowSeconds() - versions.retention(properties).toSeconds();
    }

    /** What a client reads of it. */
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
        return clock.instant().getEpochSecond();
    }

    void replaceProperties(ContainerProperties replacement) {
        properties = replacement;
        partitions().forEach(Partition::policyReplaced);
    }

    PartitionLayout layout() {
        return shape.layout();
    }

    /** What a creation says that must stay: to be stored, and given back when the container is opened again. */
    Identity identity() {
        return new Identity(rid, databaseRid, createdSeconds);
    }

    /**
     * Moves items into other partitions. Whoever comes to the former ones in the meantime waits, and is answered 410 then.
     *
     * @param save what has to be stored with the move
     */
    List<Partition> reshape(PartitionLayout changed, Runnable save) {
        var now = shape;
        var leaving = now.partitions().stream()
                .filter(partition -> !changed.live().contains(partition.place()))
                .toList();
        leaving.forEach(partition -> partition.moving().lock());
        storage.writing().lock();
        try {
            var coming = new ArrayList<Partition>();
            var after = new ArrayList<Partition>();
            for (var place : changed.live()) {
                var staying = now.partitions().stream()
                        .filter(partition -> partition.place().equals(place))
                        .findFirst();
                after.add(staying.orElseGet(() -> filled(place, leaving, coming)));
            }
            shape = new Shape(changed, List.copyOf(after));
            leaving.forEach(Partition::retire);
            retired.add(leaving);
            save.run();
            return coming;
        } finally {
            storage.writing().unlock();
            leaving.forEach(partition -> partition.moving().unlock());
        }
    }

    private Partition filled(PartitionLayout.Range place, List<Partition> sources, List<Partition> coming) {
        var partition = new Partition(this, place, storage);
        sources.stream().filter(source -> source.range().overlaps(place.keys())).forEach(partition::absorb);
        coming.add(partition);
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
