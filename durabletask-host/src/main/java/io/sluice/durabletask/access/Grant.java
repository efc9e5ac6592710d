package io.sluice.durabletask.access;

import java.util.Set;

/**
 * What the bearer of a token may do.
 *
 * @param hubs names of task hubs; empty for all
 */
public record Grant(Set<Right> rights, Set<String> hubs) {
    public Grant {
        rights = Set.copyOf(rights);
        hubs = Set.copyOf(hubs);
    }

    boolean opens(String hub) {
        return hubs.isEmpty() || hubs.contains(hub);
    }
}
