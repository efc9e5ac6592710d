package io.sluice.relay.delivery;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** How many documents were met that say they are undelivered intents and can't be read. Thread-safe. */
final class MalformedCount {
    private final Map<String, Integer> bySource = new ConcurrentHashMap<>();
    private final Set<String> unconfirmed = ConcurrentHashMap.newKeySet();

    /**
     * So many were among the intents of a source at the latest look.
     *
     * @param first whether they are the first of that look, rather than more of it
     */
    void met(String source, int count, boolean first) {
        if (first) {
            bySource.remove(source);
        }
        if (count > 0) {
            bySource.merge(source, count, Integer::sum);
        }
    }

    /** From now on it is found out which sources still have intents. */
    void begin() {
        unconfirmed.clear();
        unconfirmed.addAll(bySource.keySet());
    }

    /** These still have. */
    void keep(Set<String> sources) {
        unconfirmed.removeAll(sources);
    }

    /** No other source that was known at the beginning has any intent left. */
    void end() {
        bySource.keySet().removeAll(unconfirmed);
        unconfirmed.clear();
    }

    int total() {
        return bySource.values().stream().mapToInt(Integer::intValue).sum();
    }
}
