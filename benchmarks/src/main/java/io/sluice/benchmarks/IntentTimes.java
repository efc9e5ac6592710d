package io.sluice.benchmarks;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** From the commit of intents to their target documents, by the emulator's times of the two writes. */
final class IntentTimes {
    private static final String INTENT = "intent:";
    private static final Pattern RECEIPT = Pattern.compile("create:receipt:([^,]+)");

    private final Map<String, Instant> committed = new HashMap<>();
    private final Map<String, Instant> delivered = new HashMap<>();

    private IntentTimes() {}

    static IntentTimes of(List<LoggedRequest> asked) {
        var times = new IntentTimes();
        for (var request : asked) {
            var item = request.itemId();
            if (request.operation() == RequestKind.ITEM_CREATE && item != null && item.startsWith(INTENT)) {
                times.committed.put(item.substring(INTENT.length()), request.at());
            } else if (request.operation() == RequestKind.BATCH && request.status() == 200) {
                RECEIPT.matcher(request.body())
                        .results()
                        .forEach(receipt -> times.delivered.putIfAbsent(receipt.group(1), request.at()));
            }
        }
        times.delivered.keySet().retainAll(times.committed.keySet());
        return times;
    }

    int delivered() {
        return delivered.size();
    }

    /** From the first commit to the last delivery. */
    double seconds() {
        return Duration.between(Collections.min(committed.values()), Collections.max(delivered.values()))
                        .toNanos()
                / 1e9;
    }

    /** Of so many of a hundred intents it was shorter. */
    double latencyMillis(int percent) {
        List<Duration> latencies = new ArrayList<>();
        delivered.forEach((key, at) -> latencies.add(Duration.between(committed.getOrDefault(key, at), at)));
        Collections.sort(latencies);
        return latencies.get(latencies.size() * percent / 100).toNanos() / 1e6;
    }
}
