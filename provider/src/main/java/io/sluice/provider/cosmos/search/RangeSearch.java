package io.sluice.provider.cosmos.search;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.SqlQuery;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Searches a queue range by range, so that a physical partition that is throttled or silent holds up no other: what the
 * others have is there at once, and the one that did not answer is left out for a while, longer each time. Thread-safe.
 */
public final class RangeSearch {
    private static final Logger LOG = LoggerFactory.getLogger(RangeSearch.class);
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PATIENCE = Duration.ofSeconds(8);
    private static final int MOST_DOUBLINGS = 2;
    /** A silent range is waited for in at most a fifth of the time. */
    private static final int SILENT_RESTS = 4;

    private final ContainerRequests requests;
    private final LongSupplier nanoTime;
    private final Map<String, Missed> missed = new HashMap<>();

    /**
     * A range that did not answer.
     *
     * @param times one after another
     * @param patience how long it is waited for next
     */
    private record Missed(int times, long leftOutUntilNanos, Duration patience) {}

    /**
     * No request is made.
     *
     * @param nanoTime the monotonic clock
     */
    public RangeSearch(ContainerRequests requests, LongSupplier nanoTime) {
        this.requests = requests;
        this.nanoTime = nanoTime;
    }

    /** For what is asked of named ranges. */
    public ContainerRequests requests() {
        return requests;
    }

    /** The key ranges there are. */
    public List<String> ranges(Call call) {
        return requests.ranges(call);
    }

    /**
     * Sends each range its query, but to those that are left out.
     *
     * @return the rows of the ranges that have answered
     * @throws ProviderException when none has
     */
    public Map<String, List<ObjectNode>> ask(Call call, Map<String, SqlQuery> queries) {
        Map<String, SqlQuery> asked = withoutLeftOut(queries);
        ContainerRequests.PartialAnswer answer = requests.queryRangesPartly(call, asked, patience(asked));
        asked.keySet().forEach(range -> note(range, answer));
        return answer.answers();
    }

    /** All of them, when all did not answer lately. */
    private synchronized Map<String, SqlQuery> withoutLeftOut(Map<String, SqlQuery> queries) {
        Map<String, SqlQuery> asked = new LinkedHashMap<>(queries);
        asked.keySet().removeIf(range -> {
            Missed known = missed.get(range);
            return known != null && known.leftOutUntilNanos() - nanoTime.getAsLong() > 0;
        });
        return asked.isEmpty() ? queries : asked;
    }

    private synchronized Duration patience(Map<String, SqlQuery> asked) {
        return asked.keySet().stream()
                .map(range -> missed.containsKey(range) ? missed.get(range).patience() : PATIENCE)
                .max(Duration::compareTo)
                .orElse(PATIENCE);
    }

    private synchronized void note(String range, ContainerRequests.PartialAnswer answer) {
        if (answer.answers().containsKey(range)) {
            missed.remove(range);
            return;
        }
        Missed before = missed.get(range);
        int times = before == null ? 1 : before.times() + 1;
        boolean isSilent = !answer.refused().contains(range);
        Duration waited = before == null ? PATIENCE : before.patience();
        Duration leftOut = isSilent
                ? waited.multipliedBy(SILENT_RESTS)
                : PATIENCE.multipliedBy(1L << Math.min(MOST_DOUBLINGS, times - 1));
        Duration next = isSilent && waited.compareTo(LONGEST_PATIENCE) < 0 ? waited.multipliedBy(2) : waited;
        missed.put(range, new Missed(times, nanoTime.getAsLong() + leftOut.toNanos(), next));
        if (times == 1) {
            LOG.atInfo()
                    .addKeyValue("range", range)
                    .addKeyValue("isSilent", isSilent)
                    .log("a physical partition does not answer the search for work, and is left out for a while");
        }
    }
}
