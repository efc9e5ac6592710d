package io.sluice.provider;

import io.sluice.provider.work.WorkItem;
import java.util.Objects;

/** A fetched activity, the token that holds its lock, and how often it has been fetched (1 the first time). */
public record LockedWorkItem(WorkItem item, String lockToken, int attemptCount) {
    public LockedWorkItem {
        Objects.requireNonNull(item, "item");
        Objects.requireNonNull(lockToken, "lockToken");
    }
}
