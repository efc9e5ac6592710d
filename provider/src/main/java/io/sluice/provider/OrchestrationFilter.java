package io.sluice.provider;

import io.sluice.provider.json.Surrogates;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which orchestrations a dispatcher runs, by name and version. Names are compared exactly. Immutable. */
public sealed interface OrchestrationFilter {
    /**
     * Whether an instance of this orchestration is served.
     *
     * @param version empty for one that was started without a version
     */
    boolean accepts(String name, String version);

    /** Every orchestration. */
    static OrchestrationFilter any() {
        return Any.INSTANCE;
    }

    /**
     * Those named here.
     *
     * @param versions the versions that are served, by name; an empty set for every version of the name, an empty text
     *     in a set for what was started without a version. An empty map serves nothing
     */
    static OrchestrationFilter named(Map<String, Set<String>> versions) {
        SortedMap<String, SortedSet<String>> sorted = new TreeMap<>();
        versions.forEach((name, ofName) -> sorted.put(name, new TreeSet<>(ofName)));
        return new Named(sorted);
    }

    /** Every orchestration. */
    enum Any implements OrchestrationFilter {
        INSTANCE;

        @Override
        public boolean accepts(String name, String version) {
            return true;
        }
    }

    /**
     * Those named here.
     *
     * @param versions by name; an empty set for every version
     */
    record Named(SortedMap<String, SortedSet<String>> versions) implements OrchestrationFilter {
        public Named {
            SortedMap<String, SortedSet<String>> copy = new TreeMap<>();
            versions.forEach((name, ofName) -> {
                Surrogates.refuse("a name of a filter of orchestrations", name);
                ofName.forEach(version -> Surrogates.refuse("a version of a filter of orchestrations", version));
                copy.put(name, Collections.unmodifiableSortedSet(new TreeSet<>(ofName)));
            });
            versions = Collections.unmodifiableSortedMap(copy);
        }

        @Override
        public boolean accepts(String name, String version) {
            SortedSet<String> ofName = versions.get(name);
            return ofName != null && (ofName.isEmpty() || ofName.contains(version));
        }
    }
}
