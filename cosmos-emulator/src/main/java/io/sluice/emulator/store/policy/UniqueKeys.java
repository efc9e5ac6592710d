package io.sluice.emulator.store.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.JsonPaths;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.item.ItemKey;
import java.util.ArrayList;
import java.util.List;

/**
 * The unique key policy: combinations of values that no two items of one partition key may share. As on the service, a
 * missing property counts as null. Immutable.
 *
 * @param constraints for each the paths whose values together are unique
 */
public record UniqueKeys(List<List<List<String>>> constraints) {
    private static final int MAX_CONSTRAINTS = 10;
    private static final int MAX_PATHS = 16;

    /** Copies the constraints. */
    public UniqueKeys {
        constraints = List.copyOf(constraints);
    }

    /**
     * Reads the {@code uniqueKeyPolicy} of a container's body.
     *
     * @throws StatusException 400 when it is invalid, or over the service's limits
     */
    public static UniqueKeys parse(JsonNode policy) {
        var constraints = new ArrayList<List<List<String>>>();
        int all = 0;
        for (var key : policy.path("uniqueKeys")) {
            var paths = new ArrayList<List<String>>();
            key.path("paths").forEach(path -> paths.add(JsonPaths.parse(path.asText())));
            if (paths.isEmpty()) {
                throw StatusException.badRequest("A unique key must name paths, was " + key);
            }
            all += paths.size();
            constraints.add(paths);
        }
        if (constraints.size() > MAX_CONSTRAINTS || all > MAX_PATHS) {
            throw StatusException.badRequest("A container may have " + MAX_CONSTRAINTS + " unique keys with "
                    + MAX_PATHS + " paths in all, was " + constraints.size() + " with " + all);
        }
        return new UniqueKeys(constraints);
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return constraints.isEmpty();
    }

    /** The unique keys of a document: one text for each constraint. */
    public List<String> of(ItemKey key, ObjectNode document) {
        var texts = new ArrayList<String>(constraints.size());
        for (int i = 0; i < constraints.size(); i++) {
            var values = new ArrayList<JsonNode>();
            constraints.get(i).forEach(path -> values.add(value(document, path)));
            texts.add(key.effectiveKey() + "/" + key.partitionKey() + "/" + i + "/" + canonical(values));
        }
        return texts;
    }

    private static JsonNode value(ObjectNode document, List<String> path) {
        JsonNode value = document;
        for (var name : path) {
            value = value.isObject() ? value.path(name) : MissingNode.getInstance();
        }
        return value;
    }

    /** Numbers are doubles to the service, so 1 and 1.0 are one value. */
    private static String canonical(List<JsonNode> values) {
        var text = new StringBuilder();
        for (var value : values) {
            text.append(value.isMissingNode() ? "null" : value.isNumber() ? value.doubleValue() : value)
                    .append('/');
        }
        return text.toString();
    }
}
