package io.sluice.emulator.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A container: what it was told to be, and the physical partitions that hold its items. Thread-safe. */
public final class Container {
    private final String rid;
    private final String databaseRid;
    private final long createdSeconds;
    private final List<Partition> partitions;
    private final InstantSource clock;
    private volatile ContainerProperties properties;

    /**
     * What stays for the life of a container.
     *
     * @param rid its resource id
     * @param databaseRid its database's
     * @param createdSeconds when it was made, in seconds since 1970
     * @param partitions how many physical partitions it has
     */
    record Identity(String rid, String databaseRid, long createdSeconds, int partitions) {}

    Container(Identity identity, ContainerProperties properties, Storage storage, InstantSource clock) {
        this.rid = identity.rid();
        this.databaseRid = identity.databaseRid();
        this.createdSeconds = identity.createdSeconds();
        this.properties = properties;
        this.clock = clock;
        var ranges = EpkRange.split(properties.partitionKey(), identity.partitions());
        this.partitions = IntStream.range(0, ranges.size())
                .mapToObj(i -> new Partition(this, i, ranges.get(i), storage))
                .toList();
    }

    /** Its resource id. */
    public String rid() {
        return rid;
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
        return partitions;
    }

    /** The physical partition with the id of its key range. */
    public Optional<Partition> partition(String id) {
        return partitions.stream()
                .filter(partition -> partition.id().equals(id))
                .findFirst();
    }

    /**
     * The place of a key in the key space.
     *
     * @throws Refusal 400 when the container can't place such a key
     */
    public String effectiveKey(PartitionKey key) {
        properties.partitionKey().check(key);
        return EffectivePartitionKey.of(properties.partitionKey(), key);
    }

    /**
     * The physical partition that holds a key.
     *
     * @throws Refusal 400 when the container can't place such a key
     */
    public Partition partitionOf(PartitionKey key) {
        var effectiveKey = effectiveKey(key);
        for (var partition : partitions) {
            if (partition.range().contains(effectiveKey)) {
                return partition;
            }
        }
        throw new IllegalStateException("No partition holds " + effectiveKey);
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
    }

    void removeExpiredItems() {
        partitions.forEach(Partition::removeExpired);
    }

    void drop() {
        partitions.forEach(Partition::drop);
    }
}
