package io.sluice.client.lifecycle;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the instances of one orchestration did in one window of time, the value of {@code <prefix>.statistics}. A later
 * record of the same key replaces an earlier one.
 *
 * @param windowStart inclusive
 * @param windowEnd exclusive
 * @param duration of the executions that ended; null when none did
 */
public record OrchestrationStatistics(
        String orchestration,
        Instant windowStart,
        Instant windowEnd,
        long started,
        long completed,
        long failed,
        long cancelled,
        long continuedAsNew,
        @Nullable Quantiles duration) {
    /** In milliseconds, within 1 %. */
    public record Quantiles(long count, double mean, long p50, long p90, long p99, long max) {}

    public OrchestrationStatistics {
        Objects.requireNonNull(orchestration, "orchestration");
        Objects.requireNonNull(windowStart, "windowStart");
        Objects.requireNonNull(windowEnd, "windowEnd");
    }
}
