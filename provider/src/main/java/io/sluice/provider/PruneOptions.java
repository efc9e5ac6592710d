package io.sluice.provider;

import org.jspecify.annotations.Nullable;

/**
 * Which finished executions to prune; both conditions must hold. The current execution and running ones always stay.
 *
 * @param keepLast newest executions to keep; null, 0 and 1 keep the current one alone
 * @param completedBeforeMillis completed earlier than this moment; null for any
 */
public record PruneOptions(
        @Nullable Integer keepLast, @Nullable Long completedBeforeMillis) {
    /** Prunes all but the current execution. */
    public static final PruneOptions ALL_FINISHED = new PruneOptions(null, null);

    public PruneOptions {
        if (keepLast != null && keepLast < 0) {
            throw new IllegalArgumentException("keepLast must not be negative, was " + keepLast);
        }
    }

    /** Keeps the newest {@code executions}. */
    public static PruneOptions keepLast(int executions) {
        return new PruneOptions(executions, null);
    }
}
