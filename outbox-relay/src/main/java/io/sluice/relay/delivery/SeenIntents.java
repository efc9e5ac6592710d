package io.sluice.relay.delivery;

import io.sluice.provider.outbox.IntentSlice;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers which versions of intents were read from their sources recently: the feed may show the same version
 * twice, and one drain that reads it is enough. A version that only the feed has shown is not remembered: the drain
 * may read from a replica of the store that lags behind the feed, and miss the intent. Thread-safe.
 */
final class SeenIntents {
    private static final int MAX_SIZE = 10_000;

    private final Map<String, Boolean> found = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MAX_SIZE;
        }
    };

    /** Remembers the intents that a drain has read. */
    synchronized void remember(IntentSlice slice) {
        slice.intents().forEach(intent -> found.put(key(intent.id(), intent.etag()), true));
    }

    /** Whether no drain has read this version, as far as remembered. */
    synchronized boolean isNew(String documentId, String etag) {
        return !found.containsKey(key(documentId, etag));
    }

    private static String key(String documentId, String etag) {
        return documentId + " " + etag;
    }
}
