package io.sluice.emulator.store.index;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.condition.DocumentPath;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.LongDataType;

/** The items of a partition by the values at one path. Changed by the one thread that holds the partition's lock. */
final class PathIndex {
    /** The keys say everything. */
    private static final Long PRESENT = 0L;

    private final DocumentPath path;
    private final MVMap<IndexEntry, Long> entries;

    PathIndex(DocumentPath path, MVStore store) {
        this.path = path;
        entries = store.openMap(
                path.toString(),
                new MVMap.Builder<IndexEntry, Long>()
                        .keyType(IndexEntryType.INSTANCE)
                        .valueType(LongDataType.INSTANCE));
    }

    void put(JsonNode document, long item) {
        path.forEachValue(document, value -> entries.put(IndexEntry.of(value, item), PRESENT));
    }

    void remove(JsonNode document, long item) {
        path.forEachValue(document, value -> entries.remove(IndexEntry.of(value, item)));
    }

    IndexSnapshot snapshot() {
        return new IndexSnapshot(entries, entries.flushAndGetRoot());
    }
}
