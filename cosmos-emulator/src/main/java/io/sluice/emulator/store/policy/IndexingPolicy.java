package io.sluice.emulator.store.policy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.document.JsonPaths;
import io.sluice.emulator.document.StatusException;
import java.util.ArrayList;
import java.util.List;

/**
 * The paths that a container indexes. A filter on another path scans; ORDER BY of another path is refused. Immutable.
 */
public final class IndexingPolicy {
    private static final List<String> ALWAYS_INDEXED = List.of("id", "_ts");

    private final boolean off;
    private final List<Pattern> included;
    private final List<Pattern> excluded;
    private final List<List<CompositePath>> composites;

    /**
     * A path of a composite index.
     *
     * @param names of the properties along it
     * @param descending its order
     */
    public record CompositePath(List<String> names, boolean descending) {
        /** Copies the names. */
        public CompositePath {
            names = List.copyOf(names);
        }

        private CompositePath reversed() {
            return new CompositePath(names, !descending);
        }
    }

    /** A path of the policy. An open pattern covers everything below its names, any other only the value there. */
    private record Pattern(List<String> names, boolean open) {
        static Pattern parse(String path) {
            // The root stands for all that is below it, as in the first version of the service's API.
            var names = path.equals("/*") || path.equals("/") ? List.of("*") : JsonPaths.parse(path);
            var last = names.get(names.size() - 1);
            return new Pattern(names.subList(0, names.size() - 1), !last.equals("?"));
        }

        boolean covers(List<String> path) {
            return open
                    ? path.size() >= names.size()
                            && path.subList(0, names.size()).equals(names)
                    : path.equals(names);
        }

        /** A longer path is more precise, and of two of one length the one for a single value. */
        int precision() {
            return 2 * names.size() + (open ? 0 : 1);
        }
    }

    private IndexingPolicy(
            boolean off, List<Pattern> included, List<Pattern> excluded, List<List<CompositePath>> composites) {
        this.off = off;
        this.included = List.copyOf(included);
        this.excluded = List.copyOf(excluded);
        this.composites = List.copyOf(composites);
    }

    /**
     * Reads the {@code indexingPolicy} of a container's body.
     *
     * @throws StatusException 400 when a path is invalid
     */
    public static IndexingPolicy parse(JsonNode json) {
        var composites = new ArrayList<List<CompositePath>>();
        for (var index : json.path("compositeIndexes")) {
            var paths = new ArrayList<CompositePath>();
            for (var path : index) {
                boolean descending = path.path("order").asText().equalsIgnoreCase("descending");
                paths.add(new CompositePath(JsonPaths.parse(path.path("path").asText()), descending));
            }
            composites.add(paths);
        }
        boolean off = json.path("indexingMode").asText().equalsIgnoreCase("none");
        boolean everything = json.path("includedPaths").isEmpty()
                && json.path("excludedPaths").isEmpty();
        var included = everything ? List.of(Pattern.parse("/*")) : patterns(json.path("includedPaths"));
        return new IndexingPolicy(off, included, patterns(json.path("excludedPaths")), composites);
    }

    /** Whether a policy excludes the root, so that only what it includes is indexed. */
    public static boolean excludesAll(JsonNode json) {
        return patterns(json.path("excludedPaths")).contains(Pattern.parse("/*"));
    }

    private static List<Pattern> patterns(JsonNode paths) {
        var patterns = new ArrayList<Pattern>();
        paths.forEach(path -> patterns.add(Pattern.parse(path.path("path").asText())));
        return patterns;
    }

    /**
     * Refuses an ORDER BY that no index serves.
     *
     * @param order the properties to sort by, in turn
     * @throws StatusException 400 when the one property is not indexed, or several have no composite index, as they are
     *     or all reversed
     */
    public void checkOrder(List<CompositePath> order) {
        if (order.size() == 1 && !isIndexed(order.get(0).names())) {
            throw refused("The index path corresponding to the specified order-by item is excluded.");
        }
        if (order.size() > 1
                && !composites.contains(order)
                && !composites.contains(
                        order.stream().map(CompositePath::reversed).toList())) {
            throw refused(
                    "The order by query does not have a corresponding composite index that it can be served from.");
        }
    }

    /** Whether the values at a path are indexed. */
    public boolean isIndexed(List<String> path) {
        if (off) {
            return false;
        }
        boolean always = path.size() == 1 && ALWAYS_INDEXED.contains(path.get(0));
        return always || precision(included, path) > precision(excluded, path);
    }

    private static int precision(List<Pattern> patterns, List<String> path) {
        return patterns.stream()
                .filter(pattern -> pattern.covers(path))
                .mapToInt(Pattern::precision)
                .max()
                .orElse(-1);
    }

    private static StatusException refused(String message) {
        return StatusException.badRequest("Message: {\"Errors\":[\"" + message + "\"]}");
    }
}
