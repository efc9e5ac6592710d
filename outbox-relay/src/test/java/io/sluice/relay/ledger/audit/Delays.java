package io.sluice.relay.ledger.audit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How long events were on their way from the store to a consumer, the shortest first. */
public record Delays(List<Duration> sorted) {
    /** Of the events that were written within a time; those that nobody has seen are left out. */
    public static Delays between(long fromNanos, long toNanos, Map<String, Long> written, Map<String, Long> seen) {
        var delays = new ArrayList<Duration>();
        written.forEach((id, nanos) -> {
            var arrived = seen.get(id);
            if (arrived != null && nanos - fromNanos >= 0 && nanos - toNanos < 0) {
                delays.add(Duration.ofNanos(arrived - nanos));
            }
        });
        return new Delays(delays.stream().sorted().toList());
    }

    /** The longest of them. */
    public Duration longest() {
        return quantile(1);
    }

    private Duration quantile(double quantile) {
        return sorted.isEmpty()
                ? Duration.ZERO
                : sorted.get((int) Math.min(sorted.size() - 1L, (long) (quantile * sorted.size())));
    }

    @Override
    public String toString() {
        return "%d events, median %.1f s, longest %.1f s"
                .formatted(
                        sorted.size(),
                        quantile(0.5).toMillis() / 1_000.0,
                        longest().toMillis() / 1_000.0);
    }
}
