package io.sluice.relay.feed;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What is wrong with the processor's leases. A part of the key space without a lease, as after an error while they were
 * made, is read by nobody and no error is ever shown; a lease that nobody renews likewise.
 *
 * @param gaps parts of the key space without a lease
 * @param neglected tokens of leases that nobody has renewed for long
 * @param corrupt ids of leases that no processor can read, with what is wrong
 */
record LeaseReport(List<KeyRange> gaps, List<String> neglected, List<String> corrupt) {
    private static final String FIRST = "";
    private static final String LAST = "FF";

    /**
     * Looks through lease documents.
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
     * When a lease was last renewed, by the service's time. What the processor notes there itself is the time of its
     * machine, whose clock may be wrong.
     *
     * @return the beginning of time for a document without a time
     */
    static Instant writtenAt(JsonNode lease) {
        return Instant.ofEpochSecond(lease.path("_ts").asLong());
    }

    boolean isWell() {
        return gaps.isEmpty() && neglected.isEmpty() && corrupt.isEmpty();
    }
}
