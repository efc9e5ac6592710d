package io.sluice.benchmarks.outbox;

import io.sluice.benchmarks.store.RequestCost;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What became of intents, as the emulator saw it.
 *
 * @param latencies milliseconds from the arrival of each commit to the arrival of its target document, ascending
 * @param settled how many intents were deleted afterwards
 * @param cost of all requests but the commits
 */
record Deliveries(List<Double> latencies, int settled, RequestCost cost) {
    private static final Pattern COMMIT = Pattern.compile("create:intent:([^,]+)");
    private static final Pattern TARGET = Pattern.compile("create:outbox:([^,]+)");
    private static final Pattern REMOVAL = Pattern.compile("delete:intent:([^,]+)");

    /** The deliveries of a log. */
    static Deliveries of(List<LoggedRequest> log, int physicalPartitions) {
        Map<String, Instant> committed = new HashMap<>();
        Map<String, Double> latencies = new HashMap<>();
        Set<String> removed = new HashSet<>();
        List<LoggedRequest> others = new ArrayList<>();
        for (var request : log) {
            var operations = operations(request);
            boolean isCommit = COMMIT.matcher(operations).find();
            COMMIT.matcher(operations).results().forEach(key -> committed.put(key.group(1), request.at()));
            TARGET.matcher(operations).results().map(key -> key.group(1)).forEach(key -> {
                var since = committed.get(key);
                if (since != null) {
                    latencies.putIfAbsent(
                            key, Duration.between(since, request.at()).toNanos() / 1e6);
                }
            });
            REMOVAL.matcher(operations).results().forEach(key -> removed.add(key.group(1)));
            if (!isCommit) {
                others.add(request);
            }
        }
        return new Deliveries(
                latencies.values().stream().sorted().toList(),
                removed.size(),
                RequestCost.of(others, physicalPartitions));
    }

    /** What a request did, if it did, in the form the log has for batches. */
    private static String operations(LoggedRequest request) {
        boolean isDone = request.status() >= 200 && request.status() < 300;
        if (!isDone) {
            return "";
        }
        if (request.operation() == RequestKind.ITEM_CREATE) {
            return "create:" + request.itemId();
        }
        return request.operation() == RequestKind.ITEM_DELETE ? "delete:" + request.itemId() : batch(request);
    }

    private static String batch(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH && request.status() == 200 ? request.body() : "";
    }

    /** The latency that a share of the intents, in percent, did not exceed. */
    double percentile(double percent) {
        int place = (int) Math.ceil(latencies.size() * percent / 100);
        return latencies.get(Math.max(1, place) - 1);
    }
}
