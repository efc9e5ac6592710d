package io.sluice.relay.feed;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The faults of the processor's leases. No replica reads a key range that has no lease, as after an error at their
 * creation, or whose lease is not renewed; the processor never reports an error for either.
 *
 * @param gaps key ranges without a lease
 * @param neglected tokens of leases that no replica has renewed for long
 * @param corrupt ids of leases that no processor can read, with the fault
 */
record LeaseReport(List<KeyRange> gaps, List<String> neglected, List<String> corrupt) {
    private static final String FIRST = "";
    private static final String LAST = "FF";

    /**
     * Checks lease documents.
     *
     * @param now by the service's time
     * @param timeout how long a lease may go without being renewed
     */
    static LeaseReport of(List<JsonNode> leases, Instant now, Duration timeout) {
        var corrupt = new ArrayList<String>();
        var sound = new ArrayList<JsonNode>();
        for (var lease : leases) {
            LeaseDefect.in(lease)
                    .ifPresentOrElse(
                            fault -> corrupt.add(lease.path("id").asText() + ": " + fault), () -> sound.add(lease));
        }
        var covered = sound.stream()
                .map(lease -> lease.path("feedRange").path("Range"))
                .map(range -> new KeyRange(
                        range.path("min").asText(), range.path("max").asText()))
                .sorted(Comparator.comparing(KeyRange::min))
                .toList();
        var neglected = sound.stream()
                .filter(lease -> writtenAt(lease).isBefore(now.minus(timeout)))
                .map(lease -> lease.path("LeaseToken").asText())
                .toList();
        return new LeaseReport(gaps(covered), neglected, corrupt);
    }

    private static List<KeyRange> gaps(List<KeyRange> covered) {
        var gaps = new ArrayList<KeyRange>();
        var reached = FIRST;
        for (var range : covered) {
            if (range.min().compareTo(reached) > 0) {
                gaps.add(new KeyRange(reached, range.min()));
            }
            reached = range.max().compareTo(reached) > 0 ? range.max() : reached;
        }
        if (reached.compareTo(LAST) < 0) {
            gaps.add(new KeyRange(reached, LAST));
        }
        return gaps;
    }

    /**
     * When a lease was last renewed, by the service's time. The processor itself writes the time of its machine, whose
     * clock may be wrong.
     *
     * @return the epoch for a document without a time
     */
    static Instant writtenAt(JsonNode lease) {
        return Instant.ofEpochSecond(lease.path("_ts").asLong());
    }

    /** Whether another replica owns a lease and has renewed it since a point in time. */
    static boolean hasOtherOwner(List<JsonNode> leases, String owner, Instant since) {
        return leases.stream().anyMatch(lease -> {
            var holder = lease.path("Owner").asText("");
            return !holder.isEmpty()
                    && !holder.equals(owner)
                    && writtenAt(lease).isAfter(since);
        });
    }

    /** Each fault as a sentence. */
    List<String> problems() {
        var problems = new ArrayList<String>();
        gaps.forEach(gap -> problems.add("no lease for the key range " + gap.min() + " to " + gap.max()));
        neglected.forEach(token -> problems.add("no replica renews the lease " + token));
        corrupt.forEach(lease -> problems.add("corrupt, about to be replaced: lease " + lease));
        return problems;
    }

    boolean isWell() {
        return gaps.isEmpty() && neglected.isEmpty() && corrupt.isEmpty();
    }
}
