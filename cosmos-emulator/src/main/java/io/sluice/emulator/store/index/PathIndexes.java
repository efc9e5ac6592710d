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
 * The indexes of a partition: for each path a query has asked for, up to {@value #MOST_PATHS}, for every write pays for every one. They stay in
 * memory, wherever the items are. The partition's lock guards them: for writing where they change, for reading else.
 */
public final class PathIndexes {
    static final int MOST_PATHS = 64;

    private final Map<DocumentPath, PathIndex> byPath = new LinkedHashMap<>();

    /** Whether there is none, so that a write need not look at its document. */
    public boolean isEmpty() {
        return byPath.isEmpty();
    }

    /** Those of these paths that are to get an index: a path that comes when there are enough gets none. */
    public Set<DocumentPath> missing(Collection<DocumentPath> wanted) {
        return wanted.stream()
                .filter(path -> !byPath.containsKey(path))
                .distinct()
                .limit(MOST_PATHS - byPath.size())
                .collect(Collectors.toSet());
    }

    /**
     * Makes indexes.
     *
     * @param items gives every item's document and number
     */
    public void build(Set<DocumentPath> missing, Consumer<BiConsumer<JsonNode, Long>> items) {
        Map<DocumentPath, PathIndex> built = new HashMap<>();
        missing.forEach(path -> built.put(path, new PathIndex(path, store())));
        items.accept((document, number) -> built.values().forEach(index -> index.put(document, number)));
        byPath.putAll(built);
    }

    /** Enters an item that is there from now on. */
    public void put(JsonNode document, long number) {
        byPath.values().forEach(index -> index.put(document, number));
    }

    /** Takes out an item as it was until now. */
    public void remove(JsonNode document, long number) {
        byPath.values().forEach(index -> index.remove(document, number));
    }

    /** Forgets the indexes of other paths. */
    public void keepOnly(Predicate<DocumentPath> kept) {
        byPath.keySet().removeIf(path -> !kept.test(path));
    }

    /** Those of these paths' indexes there are, as they stand now. */
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

    /** Each index has one of its own: the garbage collector takes it when the index is forgotten and nobody reads it any more. */
    private static MVStore store() {
        return new MVStore.Builder().autoCommitDisabled().open();
    }
}
