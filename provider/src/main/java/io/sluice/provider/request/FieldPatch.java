package io.sluice.provider.request;

import com.azure.cosmos.models.CosmosPatchOperations;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** New values for top-level fields; at most ten, which is the service's limit for one patch. */
public final class FieldPatch {
    private static final int MAX_OPERATIONS = 10;

    private final Map<String, Object> values = new LinkedHashMap<>();
    private final Map<String, Long> increments = new LinkedHashMap<>();
    private final Set<String> removals = new LinkedHashSet<>();

    /** A patch that changes nothing yet. */
    public static FieldPatch none() {
        return new FieldPatch();
    }

    /** A patch that sets this field; null writes an explicit null. */
    public static FieldPatch set(String field, @Nullable Object value) {
        return new FieldPatch().and(field, value);
    }

    /** Sets this field too. */
    public FieldPatch and(String field, @Nullable Object value) {
        values.put(field, value == null ? NullNode.getInstance() : value);
        checkSize();
        return this;
    }

    /** Adds to a number. */
    public FieldPatch andIncrement(String field, long by) {
        increments.put(field, by);
        checkSize();
        return this;
    }

    /** Removes a field; the service refuses the patch of a document that lacks it. */
    public FieldPatch andRemove(String field) {
        removals.add(field);
        checkSize();
        return this;
    }

    CosmosPatchOperations operations() {
        CosmosPatchOperations operations = CosmosPatchOperations.create();
        values.forEach((field, value) -> operations.set("/" + field, value));
        increments.forEach((field, by) -> operations.increment("/" + field, by.longValue()));
        removals.forEach(field -> operations.remove("/" + field));
        return operations;
    }

    int sizeBytes() {
        int bytes = 0;
        for (Map.Entry<String, Object> entry : values.entrySet()) {
            // A character of text takes at most six bytes once escaped.
            bytes += 64
                    + entry.getKey().length()
                    + 6 * entry.getValue().toString().length();
        }
        return bytes + (increments.size() + removals.size()) * 96;
    }

    private void checkSize() {
        if (values.size() + increments.size() + removals.size() > MAX_OPERATIONS) {
            throw new IllegalStateException("a patch changes at most " + MAX_OPERATIONS + " fields");
        }
    }

    @Override
    public String toString() {
        return "FieldPatch" + values.keySet() + increments.keySet() + removals;
    }
}
