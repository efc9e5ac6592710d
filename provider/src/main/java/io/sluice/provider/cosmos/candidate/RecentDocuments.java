package io.sluice.provider.cosmos.candidate;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/** The ids of the last 20 000 documents that were handled. Guarded by its owner's lock. */
final class RecentDocuments {
    private static final int MOST = 20_000;

    private final Set<String> ids = new LinkedHashSet<>();

    void addAll(Collection<String> more) {
        ids.addAll(more);
        while (ids.size() > MOST) {
            ids.remove(ids.iterator().next());
        }
    }

    boolean contains(String id) {
        return ids.contains(id);
    }
}
