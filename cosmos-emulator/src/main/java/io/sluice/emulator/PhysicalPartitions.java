package io.sluice.emulator;

import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.Account;
import io.sluice.emulator.store.Partition;
import java.util.List;
import java.util.function.Supplier;

/**
 * The physical partitions of containers, which a test may split and merge as the service does by itself. A client that
 * asks for a range that is gone gets 410 with sub-status 1002; it reads the ranges again and continues. Thread-safe.
 */
public final class PhysicalPartitions {
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
        return translateErrors(() -> rangesOf(
                account.split(account.database(database), account.container(database, container), rangeId, null)));
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
        return translateErrors(() -> PartitionRange.of(
                account.merge(account.database(database), account.container(database, container), first, second)));
    }

    private static List<PartitionRange> rangesOf(List<Partition> partitions) {
        return partitions.stream().map(PartitionRange::of).toList();
    }

    private static <T> T translateErrors(Supplier<T> work) {
        try {
            return work.get();
        } catch (StatusException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
