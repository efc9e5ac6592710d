package io.sluice.emulator;

import io.sluice.emulator.store.Partition;
import java.util.List;

/**
 * A physical partition of a container, as its partition key range shows it.
 *
 * @param id of the range
 * @param minInclusive the first effective partition key in it
 * @param maxExclusive the first one after it
 * @param parents ids of all earlier ranges that were split or merged into it
 * @param itemCount items in it
 */
public record PartitionRange(
        String id, String minInclusive, String maxExclusive, List<String> parents, long itemCount) {
    /** Copies the parents. */
    public PartitionRange {
        parents = List.copyOf(parents);
    }

    static PartitionRange of(Partition partition) {
        return new PartitionRange(
                partition.id(),
                partition.range().min(),
                partition.range().max(),
                partition.ancestors(),
                partition.itemCount());
    }
}
