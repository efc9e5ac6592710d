package io.sluice.relay.feed;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The key ranges that a replica sweeps: the ranges whose leases it owns, so that no two replicas find the same sources,
 * and the ranges without an owner for long.
 *
 * @param ranges to sweep
 * @param settled whether every range has an owner; if not, the ranges soon change
 */
public record SweepRanges(List<KeyRange> ranges, boolean settled) {
    /** The whole key space, for a replica that does not know the leases. */
    public static final SweepRanges ALL = new SweepRanges(KeyRange.cut(1), true);

    public SweepRanges {
        ranges = List.copyOf(ranges);
    }

    /**
     * Reads the ranges from lease documents.
     *
     * @param owner names this replica in them
     * @param now by the service's time
     * @param timeout how long a lease may go without being renewed
     */
    static SweepRanges of(List<JsonNode> leases, String owner, Instant now, Duration timeout) {
        var report = LeaseReport.of(leases, now, timeout);
        var ranges = new ArrayList<>(report.gaps());
        boolean settled = true;
        for (var lease : leases) {
            if (LeaseDefect.in(lease).isPresent()) {
                continue;
            }
            var holder = lease.path("Owner").asText("");
            boolean isNeglected =
                    report.neglected().contains(lease.path("LeaseToken").asText());
            if (holder.equals(owner) || isNeglected) {
                ranges.add(range(lease));
            }
            settled = settled && !holder.isEmpty() && !isNeglected;
        }
        return new SweepRanges(ranges, settled);
    }

    private static KeyRange range(JsonNode lease) {
        var range = lease.path("feedRange").path("Range");
        return new KeyRange(range.path("min").asText(), range.path("max").asText());
    }
}
