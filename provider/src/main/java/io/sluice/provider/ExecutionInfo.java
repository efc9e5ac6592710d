package io.sluice.provider;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One execution of an instance, without its history.
 *
 * @param status {@code Running}, {@code Completed}, {@code Failed} or {@code ContinuedAsNew}
 * @param output result, error text or next input; null while it runs
 * @param startedAtMillis milliseconds since the epoch
 * @param completedAtMillis milliseconds since the epoch; null while it runs
 */
public record ExecutionInfo(
        long executionId,
        String status,
        @Nullable String output,
        long startedAtMillis,
        @Nullable Long completedAtMillis,
        long eventCount) {
    public ExecutionInfo {
        Objects.requireNonNull(status, "status");
    }
}
