package io.sluice.emulator.http.dataplane;

import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.message.Headers;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.store.Account;
import io.sluice.emulator.store.key.PartitionKey;
import java.util.Objects;

/**
 * Finds the container and partition key that a request addresses.
 *
 * @param account with the containers
 * @param limiter of the account's throughput
 */
public record RequestTargets(Account account, ThroughputLimiter limiter) {
    /**
     * Resolves a request.
     *
     * @throws StatusException 404 with sub-status 1003 when there is no such container, 400 with sub-status 1024 when
     *     the client means an earlier container of that name, 400 when the partition key is invalid
     */
    RequestTarget resolve(WireRequest request) {
        var path = request.path();
        var container = account.owner(path.database(), Objects.requireNonNull(path.container()));
        var intended = request.header(Headers.INTENDED_RID);
        if (intended != null && !intended.equals(container.rid())) {
            throw new StatusException(
                    400, 1024, "Collection resource id mismatch: the container was deleted and created again.");
        }
        var key = request.header(Headers.PARTITION_KEY);
        return new RequestTarget(
                container,
                key == null ? null : PartitionKey.parse(key),
                limiter,
                account.replicas().find(request.region()));
    }
}
