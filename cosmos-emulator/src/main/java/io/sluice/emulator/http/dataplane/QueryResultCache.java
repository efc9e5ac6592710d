package io.sluice.emulator.http.dataplane;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The results of queries that had to be computed whole and are fetched page by page, so that a later page neither repeats
 * nor misses one. The oldest are forgotten; their queries are then run again. Thread-safe.
 */
final class QueryResultCache {
    private static final int CAPACITY = 64;

    private final Map<String, List<JsonNode>> byToken = new LinkedHashMap<>();

    synchronized String keep(List<JsonNode> results) {
        if (byToken.size() >= CAPACITY) {
            byToken.remove(byToken.keySet().iterator().next());
        }
        var token = UUID.randomUUID().toString();
        byToken.put(token, results);
        return token;
    }

    synchronized @Nullable List<JsonNode> find(String token) {
        return byToken.get(token);
    }

    synchronized void forget(String token) {
        byToken.remove(token);
    }
}
