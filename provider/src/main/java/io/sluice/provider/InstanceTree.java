package io.sluice.provider;

import java.util.List;

/**
 * An instance and all its descendants.
 *
 * @param allIds the root first
 */
public record InstanceTree(String rootId, List<String> allIds) {
    public InstanceTree {
        allIds = List.copyOf(allIds);
    }

    /** How many instances. */
    public int size() {
        return allIds.size();
    }

    /** Whether the root has no children. */
    public boolean isRootOnly() {
        return allIds.size() == 1;
    }
}
