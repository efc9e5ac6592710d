package io.sluice.emulator.store;

import io.sluice.emulator.store.disk.Storage;
import java.util.ArrayList;
import java.util.List;

/**
 * Partitions that have split or merged. A reader may still use a view of one, so its maps are removed at the second
 * {@link #drop} after, or when the container is opened again.
 */
final class RetiredPartitions {
    private final Storage storage;
    private List<Partition> last = new ArrayList<>();
    private List<Partition> former = new ArrayList<>();

    RetiredPartitions(Storage storage) {
        this.storage = storage;
    }

    /** Removes the maps that an earlier process left. */
    void dropFormer(String containerRid, PartitionLayout layout) {
        layout.retired().forEach(range -> storage.dropAll(PartitionContents.mapPrefix(containerRid, range.index())));
    }

    synchronized void add(List<Partition> partitions) {
        last.addAll(partitions);
    }

    void drop() {
        takeFormer().forEach(Partition::drop);
    }

    /** Apart from the drop, which waits for splits: they call {@link #add} before they end. */
    private synchronized List<Partition> takeFormer() {
        var dropped = former;
        former = last;
        last = new ArrayList<>();
        return dropped;
    }
}
