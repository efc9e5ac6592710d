package io.sluice.durabletask.access;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the bearer of a token may do.
 *
 * @param hubs names of task hubs; null for all, empty for none
 * @param end from when on the token is refused; null for never
 */
public record Grant(
        Set<Right> rights,
        @Nullable Set<String> hubs,
        @Nullable Instant end) {
    public Grant {
        rights = Set.copyOf(rights);
        hubs = hubs == null ? null : Set.copyOf(hubs);
    }

    boolean opens(String hub) {
        return hubs == null || hubs.contains(hub);
    }
}
