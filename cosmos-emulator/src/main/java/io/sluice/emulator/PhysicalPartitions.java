package io.sluice.emulator;

import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.Account;
import io.sluice.emulator.store.Partition;
import io.sluice.emulator.store.key.PartitionKey;
import java.util.List;
import java.util.function.Supplier;

/**
 * The physical partitions of containers, which a test may split and merge as the service does by itself. A client that
 * asks for a range that is gone gets 410 with sub-status 1002; it reads the ranges again and continues. Thread-safe.
 */
public final class PhysicalPartitions {
    /** Of the path {@code /dbs/<database>/colls/<container>/…}, which begins with an empty segment. */
    private static final int DATABASE_SEGMENT = 2;

    private static final int CONTAINER_SEGMENT = 4;

    private final Account account;

    PhysicalPartitions(Account account) {
        this.account = account;
    }

    /**
     * The ranges of a container, in the order of the key space.
     *
     * @throws IllegalArgumentException when there is no such container
     */
    public List<PartitionRange> of(String database, String container) {
        return translateErrors(
                () -> rangesOf(account.container(database, container).partitions()));
    }

    /**
     * Splits a range in the middle, and returns when the two parts serve requests.
     *
     * @return the two parts
     * @throws IllegalArgumentException when there is no such range, or it is too short to split
     */
    public List<PartitionRange> split(String database, String container, String rangeId) {
        return translateErrors(() -> rangesOf(account.repartitioning()
                .split(account.database(database), account.container(database, container), rangeId, null)));
    }

    /**
     * Merges two neighbouring ranges, and returns when the merged range serves requests.
     *
     * @param first of the two in the key space
     * @param second of the two
     * @return the merged range
     * @throws IllegalArgumentException when there are no such ranges, or they are not neighbours
     */
    public PartitionRange merge(String database, String container, String first, String second) {
        return translateErrors(() -> PartitionRange.of(account.repartitioning()
                .merge(account.database(database), account.container(database, container), first, second)));
    }

    /**
     * Splits the physical partition that holds a request's partition key, as {@link #split}: for
     * {@link Faults#runBefore}, while the request is in flight.
     *
     * @throws IllegalArgumentException when the request names no partition key
     */
    public List<PartitionRange> splitOf(LoggedRequest request) {
        var key = request.partitionKey();
        var segments = request.path().split("/", -1);
        if (key == null || segments.length <= CONTAINER_SEGMENT) {
            throw new IllegalArgumentException("The request names no partition key: " + request);
        }
        var database = segments[DATABASE_SEGMENT];
        var container = segments[CONTAINER_SEGMENT];
        return translateErrors(() -> {
            var range = account.container(database, container).partitionOf(PartitionKey.parse(key));
            return split(database, container, range.id());
        });
    }

    /**
     * Limits the throughput of each physical partition of a container from now on, whatever was bought: requests beyond
     * it get 429 with sub-status 3200. A key that is hotter than the others soon meets it; with very few request units
     * so does everything.
     *
     * @param requestUnitsPerSecond of each partition, 0 for its share of what was bought
     * @throws IllegalArgumentException when there is no such container, or the limit is negative
     */
    public void limitThroughput(String database, String container, int requestUnitsPerSecond) {
        if (requestUnitsPerSecond < 0) {
            throw new IllegalArgumentException(
                    "requestUnitsPerSecond must be at least 0, was " + requestUnitsPerSecond);
        }
        var rid = translateErrors(() -> account.container(database, container).rid());
        account.partitionLimits().set(rid, requestUnitsPerSecond);
    }

    private static List<PartitionRange> rangesOf(List<Partition> partitions) {
        return partitions.stream().map(PartitionRange::of).toList();
    }

    private static <T> T translateErrors(Supplier<T> work) {
        try {
            return Uninterrupted.call(work);
        } catch (StatusException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
