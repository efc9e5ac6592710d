package io.sluice.emulator.store;

import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.disk.Storage;
import io.sluice.emulator.store.key.EffectivePartitionKey;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Splits and merges physical partitions: when asked to, and when more throughput is bought. Thread-safe. */
public final class Repartitioning {
    /** What a partition gets of a new container's throughput, so that it can grow. */
    private static final int INITIAL_THROUGHPUT_OF_A_PARTITION = 6_000;
    /** What a partition can serve at most. */
    private static final int MAX_THROUGHPUT_OF_A_PARTITION = 10_000;

    static final int MAX_PARTITIONS = 256;

    private final Object changes;
    private final Storage storage;
    private final Catalog catalog;
    private final int leastPartitions;

    /**
     * @param changes the monitor of all changes of databases, containers and their partitions
     * @param leastPartitions that every new container has
     */
    Repartitioning(Object changes, Storage storage, Catalog catalog, int leastPartitions) {
        this.changes = changes;
        this.storage = storage;
        this.catalog = catalog;
        this.leastPartitions = leastPartitions;
    }

    /** How many partitions a new container has for its throughput, in request units per second. */
    int initialPartitions(int throughput) {
        return Math.max(leastPartitions, partitionsFor(throughput, INITIAL_THROUGHPUT_OF_A_PARTITION));
    }

    /**
     * Splits a physical partition in two. Requests to it wait meanwhile, and get 410 afterwards.
     *
     * @param rangeId of the partition
     * @param at the first effective partition key of the second part, null for the middle of the key space
     * @return the new partitions
     * @throws StatusException 410 when it is gone, 400 when {@code at} is not within it
     */
    public List<Partition> split(Database database, Container container, String rangeId, @Nullable String at) {
        synchronized (changes) {
            database.checkPresent(container);
            var partition = partition(container, rangeId);
            var keys = partition.range();
            var cut = at == null
                    ? EffectivePartitionKey.middle(container.properties().partitionKey(), keys)
                    : at;
            if (cut.compareTo(keys.min()) <= 0 || cut.compareTo(keys.max()) >= 0) {
                throw StatusException.badRequest("The key " + cut + " is not within " + keys + ".");
            }
            return change(database, container, container.layout().split(partition.index(), cut));
        }
    }

    /**
     * Merges two neighbouring physical partitions.
     *
     * @param firstId of the range that comes first in the key space
     * @param secondId of the one behind it
     * @return the new partition
     * @throws StatusException 410 when one is gone, 400 when they are not neighbours
     */
    public Partition merge(Database database, Container container, String firstId, String secondId) {
        synchronized (changes) {
            database.checkPresent(container);
            int first = partition(container, firstId).index();
            int second = partition(container, secondId).index();
            return change(database, container, container.layout().merge(first, second))
                    .get(0);
        }
    }

    /**
     * Splits the partitions of a container until they can serve its throughput. On the service this takes minutes to
     * hours.
     *
     * @throws StatusException 400 while a region is behind
     */
    void grow(Database database, Container container, int throughput) {
        synchronized (changes) {
            int needed = partitionsFor(throughput, MAX_THROUGHPUT_OF_A_PARTITION);
            while (container.partitions().size() < needed) {
                split(database, container, leastSplit(container).id(), null);
            }
        }
    }

    private static Partition leastSplit(Container container) {
        return Collections.min(
                container.partitions(),
                Comparator.comparingInt(partition -> partition.ancestors().size()));
    }

    private static int partitionsFor(int throughput, int ofPartition) {
        return (int) Math.min(((long) throughput + ofPartition - 1) / ofPartition, MAX_PARTITIONS);
    }

    private List<Partition> change(Database database, Container container, PartitionLayout changed) {
        if (storage.isFollowed()) {
            throw StatusException.badRequest("Partitions can't split or merge while a region is behind.");
        }
        return container.changeLayout(changed, () -> catalog.put(database, container, changed));
    }

    private static Partition partition(Container container, String rangeId) {
        return container
                .partition(rangeId)
                .orElseThrow(() -> StatusException.partitionGone("The partition key range is gone: " + rangeId));
    }
}
