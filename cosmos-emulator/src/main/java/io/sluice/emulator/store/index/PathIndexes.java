package io.sluice.emulator.store.index;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.condition.DocumentPath;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.h2.mvstore.MVStore;

/**
 * The indexes of a partition: one for each path that a query has used, up to {@value #MOST_PATHS}, because every write
 * updates all of them. They are in memory even when the items are on the disk. The partition's lock guards them: its
 * write lock for changes, its read lock for reads.
 */
public final class PathIndexes {
    static final int MOST_PATHS = 64;

    private final Map<DocumentPath, PathIndex> byPath = new LinkedHashMap<>();

    /** Whether there are no indexes, so that a write need not parse its document. */
    public boolean isEmpty() {
        return byPath.isEmpty();
    }

    /** The paths without an index; none beyond the limit of indexes. */
    public Set<DocumentPath> missing(Collection<DocumentPath> wanted) {
        return wanted.stream()
                .filter(path -> !byPath.containsKey(path))
                .distinct()
                .limit(MOST_PATHS - byPath.size())
                .collect(Collectors.toSet());
    }

    /**
     * Builds indexes.
     *
     * @param items gives every item's document and number
     */
    public void build(Set<DocumentPath> missing, Consumer<BiConsumer<JsonNode, Long>> items) {
        Map<DocumentPath, PathIndex> built = new HashMap<>();
        missing.forEach(path -> built.put(path, new PathIndex(path, store())));
        items.accept((document, number) -> built.values().forEach(index -> index.put(document, number)));
        byPath.putAll(built);
    }

    /** Adds an item to all indexes. */
    public void put(JsonNode document, long number) {
        byPath.values().forEach(index -> index.put(document, number));
    }

    /** Removes an item, given its document so far, from all indexes. */
    public void remove(JsonNode document, long number) {
        byPath.values().forEach(index -> index.remove(document, number));
    }

    /** Drops the indexes of all other paths. */
    public void keepOnly(Predicate<DocumentPath> kept) {
        byPath.keySet().removeIf(path -> !kept.test(path));
    }

    /** Snapshots of the indexes of these paths, as far as they exist. */
    public Map<DocumentPath, IndexSnapshot> snapshot(Collection<DocumentPath> wanted) {
        Map<DocumentPath, IndexSnapshot> snapshots = new HashMap<>();
        for (var path : wanted) {
            var index = byPath.get(path);
            if (index != null) {
                snapshots.put(path, index.snapshot());
            }
        }
        return snapshots;
    }

    /**
     * Each index has a store of its own, which is garbage when the index is dropped and no snapshot of it is in use.
     */
    private static MVStore store() {
        return new MVStore.Builder().autoCommitDisabled().open();
    }
}
