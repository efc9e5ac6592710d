package io.sluice.emulator.http.dataplane;

import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.Account;
import io.sluice.emulator.store.Container;
import io.sluice.emulator.store.Partition;
import io.sluice.emulator.throughput.TokenBucket;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests beyond the provisioned throughput. Each physical partition of a container gets an equal share of the
 * container's throughput. A database's throughput is divided into as many shares as its largest container has
 * partitions, and containers without an offer of their own use these shares by the position of their partitions.
 * Thread-safe.
 */
public final class ThroughputLimiter {
    private final Account account;
    private final int containerThroughput;
    private final InstantSource clock;

    /** @param containerThroughput request units per second of a container without an offer, 0 for no limit */
    public ThroughputLimiter(Account account, int containerThroughput, InstantSource clock) {
        this.account = account;
        this.containerThroughput = containerThroughput;
        this.clock = clock;
    }

    /**
     * Lets a request through to a partition.
     *
     * @throws StatusException 429 with sub-status 3200 when the partition's share is used up
     */
    void admit(Container container, Partition partition) {
        var share = share(container, partition);
        if (share != null) {
            long waitMillis = share.bucket().waitMillis(share.perSecond(), clock.instant());
            if (waitMillis > 0) {
                throw StatusException.throttled(waitMillis);
            }
        }
    }

    /** Charges the cost of a request to its partition. */
    void charge(Container container, Partition partition, double requestUnits) {
        var share = share(container, partition);
        if (share != null) {
            share.bucket().spend(requestUnits);
        }
    }

    /** The throughput of a physical partition, and the bucket that counts its use. */
    private record Share(TokenBucket bucket, double perSecond) {}

    private @Nullable Share share(Container container, Partition partition) {
        if (containerThroughput == 0
                && account.offers().isEmpty()
                && account.partitionLimits().isEmpty()) {
            return null;
        }
        var limit = account.partitionLimits().of(container.rid());
        if (limit != null) {
            return new Share(partition.requestUnits(), limit);
        }
        int partitions = container.partitions().size();
        var own = account.offers().limitOf(container.rid());
        if (own != null) {
            return new Share(partition.requestUnits(), (double) own / partitions);
        }
        var shared = account.offers().limitOf(container.databaseRid());
        if (shared != null) {
            return ofDatabase(container, partition, shared);
        }
        return containerThroughput == 0
                ? null
                : new Share(partition.requestUnits(), (double) containerThroughput / partitions);
    }

    private Share ofDatabase(Container container, Partition partition, int throughput) {
        var database = account.database(container.databaseRid());
        int largest = database.containers().stream()
                .mapToInt(one -> one.partitions().size())
                .max()
                .orElse(1);
        var partitions = container.partitions();
        int index = place(partition, partitions) * largest / partitions.size();
        return new Share(database.requestUnits(index), (double) throughput / largest);
    }

    /** By its id, as a region that is behind has partitions of its own. One that has just split counts as the first. */
    private static int place(Partition partition, List<Partition> partitions) {
        for (int i = 0; i < partitions.size(); i++) {
            if (partitions.get(i).id().equals(partition.id())) {
                return i;
            }
        }
        return 0;
    }
}
