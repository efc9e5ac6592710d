package io.sluice.relay.delivery;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** How many documents were met that say they are undelivered intents and can't be read. Thread-safe. */
final class MalformedCount {
    private final Map<String, Integer> bySource = new ConcurrentHashMap<>();

    /** So many were among the intents of a source at the latest look. */
    void met(String source, int count) {
        if (count == 0) {
            bySource.remove(source);
        } else {
            bySource.put(source, count);
        }
    }

    /** No other source has any intent left. */
    void keepOnly(Set<String> sources) {
        bySource.keySet().retainAll(sources);
    }

    int total() {
        return bySource.values().stream().mapToInt(Integer::intValue).sum();
    }
}
