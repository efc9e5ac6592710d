package io.sluice.emulator.http.dataplane;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the results of queries that must be computed at once, such as sorted ones, while a client reads them page by
 * page: no page repeats or misses a result. The oldest entry goes when the cache is full; its query runs again then.
 * Thread-safe.
 */
final class QueryResultCache {
    private static final int CAPACITY = 64;

    private final Map<String, List<JsonNode>> byToken = new LinkedHashMap<>();

    synchronized String put(List<JsonNode> results) {
        if (byToken.size() >= CAPACITY) {
            byToken.remove(byToken.keySet().iterator().next());
        }
        var token = UUID.randomUUID().toString();
        byToken.put(token, results);
        return token;
    }

    synchronized @Nullable List<JsonNode> get(String token) {
        return byToken.get(token);
    }

    synchronized void remove(String token) {
        byToken.remove(token);
    }
}
