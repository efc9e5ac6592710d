package io.sluice.emulator.http.dataplane;

import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.message.Headers;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.http.message.WireResponse;
import io.sluice.emulator.store.Container;
import io.sluice.emulator.store.Partition;
import io.sluice.emulator.store.key.PartitionKey;
import org.jspecify.annotations.Nullable;

/**
 * What a request to data goes to.
 *
 * @param container that its path names
 * @param key that its header names, null for none
 * @param throttle of the container's throughput
 */
record RequestTarget(Container container, @Nullable PartitionKey key, ThroughputLimiter throttle) {
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

    /**
     * The physical partition a header names.
     *
     * @throws StatusException 410 with sub-status 1002 when there is no such range
     */
    Partition range(String id) {
        int comma = id.indexOf(',');
        return container
                .partition(comma < 0 ? id : id.substring(comma + 1))
                .orElseThrow(() -> StatusException.partitionGone("The partition key range is gone: " + id));
    }

    /**
     * Lets the request pass to a partition.
     *
     * @throws StatusException 429 with sub-status 3200 when the partition's throughput is used up
     */
    void admit(Partition partition) {
        throttle.admit(container, partition);
    }

    /** An answer, which is paid for here, with what every answer from a partition carries. */
    WireResponse from(Partition partition, long lsn, WireResponse answer, WireRequest request) {
        var path = request.path();
        throttle.take(container, partition, answer.requestCharge());
        return answer.header(Headers.SESSION_TOKEN, SessionTokens.of(partition, lsn))
                .header(Headers.LSN, Long.toString(lsn))
                .header(Headers.PARTITION_KEY_RANGE, partition.id())
                .header(Headers.CONTAINER_RID, container.rid())
                .header(Headers.CONTAINER_PATH, "dbs/" + path.database() + "/colls/" + path.container());
    }
}
