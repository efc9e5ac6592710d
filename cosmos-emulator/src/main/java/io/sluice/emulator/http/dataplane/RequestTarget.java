package io.sluice.emulator.http.dataplane;

import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.message.Headers;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.http.message.WireResponse;
import io.sluice.emulator.store.Container;
import io.sluice.emulator.store.Partition;
import io.sluice.emulator.store.Replica;
import io.sluice.emulator.store.key.PartitionKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The container and partition key that a request addresses.
 *
 * @param container that its path names
 * @param key that its header names, null for none
 * @param limiter of the container's throughput
 * @param replica what the region has to which the request came, null when it is not behind
 */
record RequestTarget(
        Container container,
        @Nullable PartitionKey key,
        ThroughputLimiter limiter,
        @Nullable Replica replica) {
    /**
     * The physical partition that holds a key, as the request's region has it.
     *
     * @throws StatusException 400 when the key does not fit the container's definition
     */
    Partition partitionOf(PartitionKey partitionKey) {
        return inRegion(container.partitionOf(partitionKey));
    }

    /** The physical partitions as the request's region has them, in the order of the key space. */
    List<Partition> partitions() {
        return container.partitions().stream().map(this::inRegion).toList();
    }

    private Partition inRegion(Partition partition) {
        return replica == null ? partition : replica.of(partition);
    }

    /**
     * The partition key, where there must be one.
     *
     * @throws StatusException 400 when the request names none
     */
    PartitionKey requiredKey() {
        if (key == null) {
            throw StatusException.badRequest("PartitionKey value must be supplied for this operation.");
        }
        return key;
    }

    /** The items of a partition key. */
    PartitionSlice slice(PartitionKey partitionKey) {
        return PartitionSlice.of(this, partitionKey);
    }

    /** Whether the request names the container by its resource id, and so what is in it. */
    boolean isByRid(WireRequest request) {
        return container.rid().equals(request.path().container());
    }

    /**
     * The physical partition a header names.
     *
     * @throws StatusException 410 with sub-status 1002 when there is no such range
     */
    Partition range(String id) {
        int comma = id.indexOf(',');
        return container
                .partition(comma < 0 ? id : id.substring(comma + 1))
                .map(this::inRegion)
                .orElseThrow(() -> StatusException.partitionGone("The partition key range is gone: " + id));
    }

    /**
     * Lets the request through to a partition.
     *
     * @throws StatusException 429 with sub-status 3200 when the partition's throughput is used up
     */
    void admit(Partition partition) {
        limiter.admit(container, partition);
    }

    /** Charges for a response, and adds the headers that every response from a partition has. */
    WireResponse respond(Partition partition, long lsn, WireResponse response, WireRequest request) {
        var path = request.path();
        limiter.charge(container, partition, response.requestCharge());
        return response.header(Headers.SESSION_TOKEN, SessionTokens.of(partition, lsn))
                .header(Headers.LSN, Long.toString(lsn))
                .header(Headers.PARTITION_KEY_RANGE, partition.id())
                .header(Headers.CONTAINER_RID, container.rid())
                .header(Headers.CONTAINER_PATH, "dbs/" + path.database() + "/colls/" + path.container());
    }
}
