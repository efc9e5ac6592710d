package io.sluice.relay.delivery;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Counts documents that claim to be undelivered intents and can't be parsed. Thread-safe. */
final class MalformedCount {
    private final Map<String, Integer> bySource = new ConcurrentHashMap<>();
    private final Set<String> unconfirmed = ConcurrentHashMap.newKeySet();

    /**
     * Records how many were in a slice of a source.
     *
     * @param first whether the slice is the first of a drain; its count replaces the count of the previous drain
     */
    void record(String source, int count, boolean first) {
        if (first) {
            bySource.remove(source);
        }
        if (count > 0) {
            bySource.merge(source, count, Integer::sum);
        }
    }

    /** A sweep begins to find out which sources still have intents. */
    void beginSweep() {
        unconfirmed.clear();
        unconfirmed.addAll(bySource.keySet());
    }

    /** The sweep has found intents of these sources. */
    void confirm(Set<String> sources) {
        unconfirmed.removeAll(sources);
    }

    /** The sweep has ended: sources that it did not confirm have no intents left. */
    void endSweep() {
        bySource.keySet().removeAll(unconfirmed);
        unconfirmed.clear();
    }

    int total() {
        return bySource.values().stream().mapToInt(Integer::intValue).sum();
    }
}
