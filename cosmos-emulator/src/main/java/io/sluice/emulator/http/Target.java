package io.sluice.emulator.http;

import io.sluice.emulator.store.Container;
import io.sluice.emulator.store.Partition;
import io.sluice.emulator.store.PartitionKey;
import io.sluice.emulator.store.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * What a request to data goes to.
 *
 * @param container that its path names
 * @param key that its header names, null for none
 * @param throttle of the container's throughput
 */
record Target(Container container, @Nullable PartitionKey key, Throttle throttle) {
    /**
     * The partition key, where there must be one.
     *
     * @throws Refusal 400 when the request names none
     */
    PartitionKey requiredKey() {
        if (key == null) {
            throw Refusal.badRequest("PartitionKey value must be supplied for this operation.");
        }
        return key;
    }

    /**
     * The physical partition a header names.
     *
     * @throws Refusal 410 with sub-status 1002 when there is no such range
     */
    Partition range(String id) {
        int comma = id.indexOf(',');
        return container
                .partition(comma < 0 ? id : id.substring(comma + 1))
                .orElseThrow(() -> Refusal.partitionGone("The partition key range is gone: " + id));
    }

    /**
     * Lets the request pass to a partition.
     *
     * @throws Refusal 429 with sub-status 3200 when the partition's throughput is used up
     */
    void admit(Partition partition) {
        throttle.admit(container, partition);
    }

    /** An answer, which is paid for here, with what every answer from a partition carries. */
    WireAnswer from(Partition partition, long lsn, WireAnswer answer, WireRequest request) {
        var path = request.path();
        throttle.take(container, partition, answer.requestCharge());
        return answer.header(Headers.SESSION_TOKEN, SessionTokens.of(partition, lsn))
                .header(Headers.LSN, Long.toString(lsn))
                .header(Headers.PARTITION_KEY_RANGE, partition.id())
                .header(Headers.CONTAINER_RID, container.rid())
                .header(Headers.CONTAINER_PATH, "dbs/" + path.database() + "/colls/" + path.container());
    }
}
