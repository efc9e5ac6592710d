package io.sluice.provider;

import java.util.Objects;

/**
 * A fetched turn, the token that holds its lock, and how often its most-tried message has been fetched (1 the first
 * time).
 */
public record LockedTurn(OrchestrationItem item, String lockToken, int attemptCount) {
    public LockedTurn {
        Objects.requireNonNull(item, "item");
        Objects.requireNonNull(lockToken, "lockToken");
    }
}
