package io.sluice.emulator.http.controlplane;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.store.Container;
import io.sluice.emulator.store.Partition;
import java.util.List;

/** How much a container holds, for clients that ask for it when they read its properties. */
final class ContainerUsage {
    private static final long BYTES_OF_KILOBYTE = 1024;
    private static final String QUOTA =
            "documentSize=10240;documentsSize=10485760;documentsCount=-1;collectionSize=10485760";

    private final List<Share> shares;

    /** What one physical partition holds. */
    private record Share(String range, long items, long kilobytes) {
        static Share of(Partition partition) {
            long items = 0;
            long bytes = 0;
            for (var stored = partition.view().items(0); stored.hasNext(); items++) {
                bytes += stored.next().sizeBytes();
            }
            return new Share(partition.id(), items, (bytes + BYTES_OF_KILOBYTE - 1) / BYTES_OF_KILOBYTE);
        }
    }

    private ContainerUsage(List<Share> shares) {
        this.shares = shares;
    }

    static ContainerUsage of(Container container) {
        return new ContainerUsage(container.partitions().stream().map(Share::of).toList());
    }

    /** What a container may hold: of sizes in KB, and of documents without end. */
    static String quota() {
        return QUOTA;
    }

    /** What it holds, by the same names. */
    String usage() {
        long kilobytes = shares.stream().mapToLong(Share::kilobytes).sum();
        long items = shares.stream().mapToLong(Share::items).sum();
        return "documentSize=0;documentsSize=" + kilobytes + ";documentsCount=" + items + ";collectionSize="
                + kilobytes;
    }

    /** What each partition holds. The service samples partition keys besides, from a gigabyte on. */
    ArrayNode statistics() {
        var statistics = Json.object().putArray("statistics");
        for (var share : shares) {
            statistics
                    .addObject()
                    .put("id", share.range())
                    .put("sizeInKB", share.kilobytes())
                    .put("documentCount", share.items())
                    .put("sampledDistinctPartitionKeyCount", 0)
                    .putArray("partitionKeys");
        }
        return statistics;
    }
}
