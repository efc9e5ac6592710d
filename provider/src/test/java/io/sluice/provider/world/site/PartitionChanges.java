package io.sluice.provider.world.site;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.store.Partition;
import io.sluice.emulator.store.item.StoredItem;
import io.sluice.provider.feed.QueueChanges;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;

/** Reads the emulator's only partition without a request: nothing that befalls the wire befalls it. */
final class PartitionChanges implements QueueChanges {
    private final Supplier<Partition> partition;
    private long seen;

    PartitionChanges(Supplier<Partition> partition) {
        this.partition = partition;
        this.seen = partition.get().lsn();
    }

    @Override
    public List<JsonNode> next() {
        List<JsonNode> changes = documents(partition.get().view().changesAfter(seen));
        seen = partition.get().lsn();
        return changes;
    }

    @Override
    public List<JsonNode> dueUntil(long untilMillis, long visibleAfterMillis, long lockedAfterMillis) {
        return documents(partition.get().view().items(0)).stream()
                .filter(document -> isWithin(document.path("visibleAt"), visibleAfterMillis, untilMillis)
                        || isWithin(document.path("lockedUntil"), lockedAfterMillis, untilMillis))
                .toList();
    }

    private static boolean isWithin(JsonNode time, long after, long until) {
        return time.isNumber() && time.asLong() > after && time.asLong() <= until;
    }

    private static List<JsonNode> documents(Iterator<StoredItem> items) {
        List<JsonNode> documents = new ArrayList<>();
        items.forEachRemaining(item -> documents.add(item.document()));
        return documents;
    }
}
