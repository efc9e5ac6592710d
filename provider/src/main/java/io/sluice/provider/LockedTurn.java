package io.sluice.provider;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A fetched turn and the token that holds its lock.
 *
 * @param attemptCount how often its most-tried message has been fetched; 1 the first time
 * @param ext what is kept along with the instance; null for nothing
 */
public record LockedTurn(
        OrchestrationItem item,
        String lockToken,
        int attemptCount,
        @Nullable InstanceExt ext) {
    public LockedTurn {
        Objects.requireNonNull(item, "item");
        Objects.requireNonNull(lockToken, "lockToken");
    }

    /** A turn of an instance with which nothing is kept along. */
    public LockedTurn(OrchestrationItem item, String lockToken, int attemptCount) {
        this(item, lockToken, attemptCount, null);
    }
}
