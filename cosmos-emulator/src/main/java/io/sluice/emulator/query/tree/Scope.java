package io.sluice.emulator.query.tree;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.value.JsonValues;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an expression sees while it is evaluated: the aliases of FROM and JOIN (inner ones hide outer ones), the
 * parameters, the time the query began, and within a group the results of its aggregates. Immutable.
 */
public final class Scope {
    /** The name under which the document itself is kept; no alias can be called so. */
    public static final String DOCUMENT = "$document";

    private final @Nullable Scope outer;
    private final String name;
    private final JsonNode value;
    private final Environment environment;
    private final List<JsonNode> aggregates;

    private Scope(
            @Nullable Scope outer, String name, JsonNode value, Environment environment, List<JsonNode> aggregates) {
        this.outer = outer;
        this.name = name;
        this.value = value;
        this.environment = environment;
        this.aggregates = aggregates;
    }

    /** The values that stay the same for a whole run of a query. */
    public record Environment(Map<String, JsonNode> parameters, Instant now) {}

    /** The scope outside of all queries. */
    public static Scope of(Environment environment) {
        return new Scope(null, "", JsonValues.UNDEFINED, environment, List.of());
    }

    /** This scope and an alias more. */
    public Scope with(String alias, JsonNode bound) {
        return new Scope(this, alias, bound, environment, List.of());
    }

    /** This scope within a group. */
    public Scope withAggregates(List<JsonNode> results) {
        return new Scope(this, "", JsonValues.UNDEFINED, environment, results);
    }

    /** The value of the innermost alias of this name; undefined without one. */
    public JsonNode variable(String alias) {
        for (Scope scope = this; scope != null; scope = scope.outer) {
            if (scope.name.equals(alias)) {
                return scope.value;
            }
        }
        return JsonValues.UNDEFINED;
    }

    /** The parameter's value; one that was not given is undefined, as on the service. */
    public JsonNode parameter(String parameter) {
        return environment.parameters().getOrDefault(parameter, JsonValues.UNDEFINED);
    }

    /** The result of an aggregate of the group. */
    public JsonNode aggregate(int slot) {
        if (aggregates.isEmpty()) {
            throw new IllegalStateException("an aggregate was read outside its group");
        }
        return aggregates.get(slot);
    }

    /** When the query began. */
    public Instant now() {
        return environment.now();
    }
}
