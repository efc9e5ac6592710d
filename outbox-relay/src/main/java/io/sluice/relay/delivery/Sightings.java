package io.sluice.relay.delivery;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which versions of intents were met lately: two readers of the feed show the same one, and one look at its source is
 * enough. Thread-safe.
 */
final class Sightings {
    private static final int MOST = 10_000;

    private final Map<String, Boolean> seen = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST;
        }
    };

    /** Whether this version is met for the first time, as far as remembered. */
    synchronized boolean isNew(String documentId, String etag) {
        return seen.put(documentId + " " + etag, true) == null;
    }
}
