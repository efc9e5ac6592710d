package io.sluice.emulator;

import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.Account;
import io.sluice.emulator.store.Partition;
import java.util.List;
import java.util.function.Supplier;

/**
 * The physical partitions of containers, and what the service does to them behind everybody's back: splits and merges. Clients
 * that ask for a range that is gone are answered 410 with sub-status 1002, read the ranges anew and go on. Thread-safe.
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
        return checked(() -> described(account.container(database, container).partitions()));
    }

    /**
     * Cuts a range in the middle. It returns when the two parts serve requests.
     *
     * @return the two parts
     * @throws IllegalArgumentException when there is no such range, or it can't be cut
     */
    public List<PartitionRange> split(String database, String container, String rangeId) {
        return checked(() -> described(
                account.split(account.database(database), account.container(database, container), rangeId, null)));
    }

    /**
     * Makes two neighbours one. It returns when that serves requests.
     *
     * @param first of the two in the key space
     * @param second of the two
     * @return what they became
     * @throws IllegalArgumentException when there are no such ranges, or they are no neighbours
     */
    public PartitionRange merge(String database, String container, String first, String second) {
        return checked(() -> PartitionRange.of(
                account.merge(account.database(database), account.container(database, container), first, second)));
    }

    private static List<PartitionRange> described(List<Partition> partitions) {
        return partitions.stream().map(PartitionRange::of).toList();
    }

    private static <T> T checked(Supplier<T> work) {
        try {
            return work.get();
        } catch (StatusException refusal) {
            throw new IllegalArgumentException(refusal.getMessage(), refusal);
        }
    }
}
