package io.sluice.relay.delivery;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.feed.SweepRanges;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How far a sweep has come. Used by one thread. */
final class SweepPass {
    private final Deque<KeyRange> ranges;
    private final boolean settled;
    private @Nullable String continuation;
    private int pending;
    private int retrying;

    /** Sources with undelivered intents on one page. */
    record Page(Set<String> sources) {}

    /** At the beginning of these ranges. */
    SweepPass(SweepRanges ranges) {
        this.ranges = new ArrayDeque<>(ranges.ranges());
        this.settled = ranges.settled();
    }

    boolean isAtEnd() {
        return ranges.isEmpty();
    }

    /** Whether all ranges were somebody's when it began. */
    boolean isSettled() {
        return settled;
    }

    /** The range it is in. */
    KeyRange range() {
        return ranges.element();
    }

    /** Where it goes on in the range; null at the range's beginning. */
    @Nullable
    String continuation() {
        return continuation;
    }

    /** Takes a page over. */
    Page read(List<JsonNode> rows, @Nullable String next) {
        Set<String> sources = new HashSet<>();
        for (var row : rows) {
            sources.add(row.path("instanceId").asText());
            if (row.path("attemptCount").asLong() > 0) {
                retrying++;
            } else {
                pending++;
            }
        }
        continuation = next;
        if (next == null) {
            ranges.remove();
        }
        return new Page(sources);
    }

    /** Intents met that were never refused. */
    int pending() {
        return pending;
    }

    /** Intents met that were refused at least once. */
    int retrying() {
        return retrying;
    }
}
