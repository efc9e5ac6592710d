package io.sluice.emulator.http;

import io.sluice.emulator.store.Account;
import io.sluice.emulator.store.Container;
import io.sluice.emulator.store.Partition;
import io.sluice.emulator.store.PartitionKey;
import io.sluice.emulator.store.Refusal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a request to data goes to.
 *
 * @param container that its path names
 * @param key that its header names, null for none
 */
record Target(Container container, @Nullable PartitionKey key) {
    /**
     * Resolves a request.
     *
     * @throws Refusal 404 when the container is not there, 400 with sub-status 1024 when the client means an earlier one of
     *     that name, 400 when the partition key is none
     */
    static Target of(Account account, WireRequest request) {
        var path = request.path();
        var container = account.container(path.database(), Objects.requireNonNull(path.container()));
        var intended = request.header(Headers.INTENDED_RID);
        if (intended != null && !intended.equals(container.rid())) {
            throw new Refusal(400, 1024, "Collection resource id mismatch: the container was created anew.");
        }
        var key = request.header(Headers.PARTITION_KEY);
        return new Target(container, key == null ? null : PartitionKey.parse(key));
    }

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
                .orElseThrow(() -> new Refusal(410, 1002, "The partition key range is gone: " + id));
    }

    /** An answer with what every answer from a partition carries. */
    WireAnswer from(Partition partition, long lsn, WireAnswer answer, WireRequest request) {
        var path = request.path();
        return answer.header(Headers.SESSION_TOKEN, SessionTokens.of(partition, lsn))
                .header(Headers.LSN, Long.toString(lsn))
                .header(Headers.PARTITION_KEY_RANGE, partition.id())
                .header(Headers.CONTAINER_RID, container.rid())
                .header(Headers.CONTAINER_PATH, "dbs/" + path.database() + "/colls/" + path.container());
    }
}
