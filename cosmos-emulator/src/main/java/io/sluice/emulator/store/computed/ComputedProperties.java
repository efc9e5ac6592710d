package io.sluice.emulator.store.computed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.query.CosmosQuery;
import io.sluice.emulator.query.QuerySyntaxException;
import io.sluice.emulator.store.item.SystemProperties;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The computed properties of a container. A query reads one as if it were stored; {@code SELECT *} does not show it.
 * Immutable. Source: "Computed properties" in the documentation of the query language.
 */
public final class ComputedProperties {
    private static final int MOST = 20;

    private final Map<String, CosmosQuery> byName;

    private ComputedProperties(Map<String, CosmosQuery> byName) {
        this.byName = Map.copyOf(byName);
    }

    /**
     * Reads the {@code computedProperties} of a container's body.
     *
     * @throws StatusException 400 when they are no list, when there are too many, or when a name or query can't be one
     */
    public static ComputedProperties parse(@Nullable JsonNode json) {
        if (json == null || json.isNull()) {
            return new ComputedProperties(Map.of());
        }
        if (!(json instanceof ArrayNode) || json.size() > MOST) {
            throw invalid("computedProperties must be an array of at most " + MOST + ", was " + json.getNodeType()
                    + " of " + json.size());
        }
        var byName = new HashMap<String, CosmosQuery>();
        for (var property : json) {
            var name = property.path("name").asText("");
            if (name.isEmpty() || name.equals("id") || SystemProperties.isOne(name)) {
                throw invalid("'" + name + "' can't be the name of a computed property");
            }
            if (byName.put(name, query(name, property.path("query"))) != null) {
                throw invalid("two computed properties are named '" + name + "'");
            }
        }
        return new ComputedProperties(byName);
    }

    private static CosmosQuery query(String name, JsonNode text) {
        try {
            var query = CosmosQuery.parse(text.asText(""), Map.of());
            if (!query.isComputation()) {
                throw invalid("the query of the computed property '" + name + "' must be SELECT VALUE <expression> FROM"
                        + " <alias>, of nothing but the item: " + text);
            }
            return query;
        } catch (QuerySyntaxException e) {
            throw invalid("the query of the computed property '" + name + "' can't be read: " + e.getMessage());
        }
    }

    private static StatusException invalid(String reason) {
        return StatusException.badRequest("One of the specified inputs is invalid: " + reason);
    }

    /** Whether a path into the document begins with a computed property. */
    public boolean isComputed(List<String> path) {
        return !byName.isEmpty() && byName.containsKey(path.get(0));
    }

    /** What a query sees of a document. */
    public ObjectNode of(ObjectNode document) {
        return byName.isEmpty() ? document : new ComputedDocument(document, this);
    }

    /** The value that a property has for a document, null when it is not computed or undefined. */
    @Nullable
    JsonNode value(String name, ObjectNode document) {
        var query = byName.get(name);
        if (query == null) {
            return null;
        }
        var results = query.execute(List.of(document).iterator());
        return results.hasNext() ? results.next() : null;
    }

    boolean isComputed(String name) {
        return byName.containsKey(name);
    }
}
