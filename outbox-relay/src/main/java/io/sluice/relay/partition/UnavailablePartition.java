package io.sluice.relay.partition;

import io.sluice.relay.feed.KeyRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A physical partition of the store to which nothing can be delivered now.
 *
 * @param throttles whether it answers, and refuses everything for want of request units; else it does not answer
 */
public record UnavailablePartition(KeyRange range, boolean throttles) {
    private static final int MOST_NAMED = 5;

    /** What they mean, for operators; empty if there are none. */
    public static List<String> problems(Collection<UnavailablePartition> partitions) {
        var problems = new ArrayList<String>();
        var silent = named(partitions, false);
        if (!silent.isEmpty()) {
            problems.add("intents: the store does not answer for " + silent
                    + ": deliveries to instances there wait, one request at a time finds out when it is back");
        }
        var throttling = named(partitions, true);
        if (!throttling.isEmpty()) {
            problems.add("intents: the store throttles everything for " + throttling
                    + ": deliveries to instances there wait");
        }
        return problems;
    }

    private static String named(Collection<UnavailablePartition> partitions, boolean throttles) {
        var names = partitions.stream()
                .filter(partition -> partition.throttles() == throttles)
                .map(partition -> partition.range().name())
                .toList();
        if (names.isEmpty()) {
            return "";
        }
        var first = names.stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
        int more = names.size() - MOST_NAMED;
        return (names.size() == 1 ? "partition " : "partitions ") + first + (more > 0 ? " and " + more + " more" : "");
    }
}
