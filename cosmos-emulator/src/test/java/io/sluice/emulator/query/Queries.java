package io.sluice.emulator.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs queries on documents written as JSON; apostrophes may stand for quotes. */
final class Queries {
    static final Instant NOW = Instant.parse("2026-03-04T05:06:07.123456700Z");

    private static final JsonMapper JSON = new JsonMapper();

    private Queries() {}

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException notJson) {
            throw new IllegalArgumentException("not JSON: " + text, notJson);
        }
    }

    /** The parameters of a JSON object without the {@code @} of their names. */
    static Map<String, JsonNode> parameters(String object) {
        Map<String, JsonNode> parameters = new LinkedHashMap<>();
        json(object).properties().forEach(each -> parameters.put("@" + each.getKey(), each.getValue()));
        return parameters;
    }

    /** The results over the documents as one JSON array. */
    static String run(String sql, String... documents) {
        return run(sql, Map.of(), documents);
    }

    static String run(String sql, Map<String, JsonNode> parameters, String... documents) {
        ArrayNode array = JSON.createArrayNode();
        return array.addAll(results(CosmosQuery.parse(sql, parameters, () -> NOW), documents))
                .toString();
    }

    static List<JsonNode> results(CosmosQuery query, String... documents) {
        Iterator<ObjectNode> all = Arrays.stream(documents)
                .map(document -> (ObjectNode) json(document))
                .iterator();
        List<JsonNode> results = new ArrayList<>();
        query.execute(all).forEachRemaining(results::add);
        return results;
    }

    /** The value of an expression over one document, as JSON; {@code undefined} when it has none. */
    static String value(String expression, String document) {
        List<JsonNode> results =
                results(CosmosQuery.parse("SELECT VALUE " + expression + " FROM c", Map.of(), () -> NOW), document);
        return results.isEmpty() ? "undefined" : results.get(0).toString();
    }

    static String value(String expression) {
        return value(expression, "{}");
    }

    static QueryPlan plan(String sql) {
        return CosmosQuery.parse(sql, Map.of()).plan();
    }
}
