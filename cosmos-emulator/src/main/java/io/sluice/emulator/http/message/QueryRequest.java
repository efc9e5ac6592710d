package io.sluice.emulator.http.message;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.query.CosmosQuery;
import io.sluice.emulator.query.QuerySyntaxException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The query in a request's body: {@code {"query": …, "parameters": [{"name", "value"}]}}. */
public final class QueryRequest {
    /** Text and parameters together. */
    private static final int MAX_BYTES = 512 * 1024;

    private QueryRequest() {}

    /** Whether a POST is a query rather than a creation. */
    public static boolean isQuery(WireRequest request) {
        var type = request.header("Content-Type");
        return request.method().equals("POST")
                && (request.isSet(Headers.IS_QUERY) || (type != null && type.startsWith("application/query+json")));
    }

    /**
     * Parses the query.
     *
     * @throws StatusException 400 when it is no query, or too long
     */
    public static CosmosQuery parse(WireRequest request) {
        if (request.body().length > MAX_BYTES) {
            throw StatusException.badRequest("Message: The SQL query text exceeded the maximum limit of " + MAX_BYTES
                    + " characters, text and parameters were " + request.body().length);
        }
        Map<String, JsonNode> parameters = new LinkedHashMap<>();
        for (var parameter : request.object().path("parameters")) {
            if (!parameter.path("name").isTextual() || parameter.path("value").isMissingNode()) {
                throw StatusException.badRequest("A query parameter must have a name and a value, was " + parameter);
            }
            parameters.put(parameter.path("name").textValue(), parameter.path("value"));
        }
        try {
            return CosmosQuery.parse(text(request), parameters);
        } catch (QuerySyntaxException e) {
            throw badRequest(e);
        }
    }

    /**
     * Refuses a query of all partition keys that no header allows.
     *
     * @throws StatusException 400
     */
    public static void checkAllKeysAllowed(WireRequest request) {
        if (!request.isSet(Headers.CROSS_PARTITION)) {
            throw StatusException.badRequest("Cross partition query is required but disabled. Please set"
                    + " x-ms-documentdb-query-enablecrosspartition to true, specify x-ms-documentdb-partitionkey,"
                    + " or revise your query to avoid this exception.");
        }
    }

    /** The error for a query that can't be parsed or run. */
    public static StatusException badRequest(QuerySyntaxException e) {
        return StatusException.badRequest("Message: " + e.errors());
    }

    /**
     * Its SQL.
     *
     * @throws StatusException 400 when there is none
     */
    static String text(WireRequest request) {
        var text = request.object().path("query");
        if (!text.isTextual()) {
            throw StatusException.badRequest("The request has no query text.");
        }
        return text.textValue();
    }
}
