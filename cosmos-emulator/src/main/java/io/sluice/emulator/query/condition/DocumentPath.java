package io.sluice.emulator.query.condition;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.value.JsonValues;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A path into a document.
 *
 * @param names of the properties along it
 * @param elements whether it means each element of the array there rather than the value
 */
public record DocumentPath(List<String> names, boolean elements) {
    private static final String ELEMENTS = "[]";

    /** Copies the names. */
    public DocumentPath {
        names = List.copyOf(names);
    }

    /** The path to the value under these names. */
    public static DocumentPath to(List<String> names) {
        return new DocumentPath(names, false);
    }

    /** Gives every value there: one, which may be undefined, or the elements' values, which may be none. */
    public void forEachValue(JsonNode document, Consumer<JsonNode> action) {
        JsonNode value = document;
        for (String name : names) {
            value = value.isObject() ? value.path(name) : JsonValues.UNDEFINED;
        }
        if (!elements) {
            action.accept(value);
        } else if (value.isArray()) {
            value.forEach(action);
        }
    }

    /** The names as an indexing policy writes them, with {@code []} for elements. */
    public List<String> policyNames() {
        if (!elements) {
            return names;
        }
        List<String> all = new ArrayList<>(names);
        all.add(ELEMENTS);
        return all;
    }
}
