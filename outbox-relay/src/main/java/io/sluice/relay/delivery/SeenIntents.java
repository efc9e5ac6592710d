package io.sluice.relay.delivery;

import io.sluice.provider.outbox.IntentSlice;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which versions of intents were read from their sources lately: two readers of the feed show the same one, and one look
 * that finds it is enough. That a reader has shown it is not: the look may ask a copy of the store that lags behind the
 * one whose feed was read, and miss it. Thread-safe.
 */
final class SeenIntents {
    private static final int MOST = 10_000;

    private final Map<String, Boolean> found = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST;
        }
    };

    /** Takes note of what a look has found. */
    synchronized void found(IntentSlice slice) {
        slice.intents().forEach(intent -> found.put(key(intent.id(), intent.etag()), true));
    }

    /** Whether no look has found this version, as far as remembered. */
    synchronized boolean isNew(String documentId, String etag) {
        return !found.containsKey(key(documentId, etag));
    }

    private static String key(String documentId, String etag) {
        return documentId + " " + etag;
    }
}
