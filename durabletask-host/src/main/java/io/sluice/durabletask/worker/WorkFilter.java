package io.sluice.durabletask.worker;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which orchestrations, or activities, a worker takes.
 *
 * @param versionsByName accepted versions by name, an empty set for all versions; null when everything is taken. An
 *     empty map takes nothing
 */
public record WorkFilter(@Nullable Map<String, Set<String>> versionsByName) {
    /** Takes everything. */
    public static final WorkFilter ALL = new WorkFilter(null);

    /** Takes nothing. */
    public static final WorkFilter NOTHING = new WorkFilter(Map.of());

    public WorkFilter {
        if (versionsByName != null) {
            Map<String, Set<String>> copy = new HashMap<>();
            versionsByName.forEach((name, versions) -> copy.put(name, Set.copyOf(versions)));
            versionsByName = Map.copyOf(copy);
        }
    }

    /**
     * Whether it takes this one.
     *
     * @param version empty for none
     */
    public boolean accepts(String name, String version) {
        if (versionsByName == null) {
            return true;
        }
        Set<String> versions = versionsByName.get(name);
        return versions != null && (versions.isEmpty() || versions.contains(version));
    }

    /** Whether it takes some version of this one. */
    public boolean acceptsSome(String name) {
        return versionsByName == null || versionsByName.containsKey(name);
    }

    /** What one of the two takes. */
    public WorkFilter or(WorkFilter other) {
        if (versionsByName == null || other.versionsByName == null) {
            return ALL;
        }
        Map<String, Set<String>> either = new HashMap<>(versionsByName);
        other.versionsByName.forEach((name, versions) -> either.merge(name, versions, WorkFilter::either));
        return new WorkFilter(either);
    }

    /** An empty set stands for all versions. */
    private static Set<String> either(Set<String> one, Set<String> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return Set.of();
        }
        Set<String> all = new HashSet<>(one);
        all.addAll(other);
        return all;
    }
}
