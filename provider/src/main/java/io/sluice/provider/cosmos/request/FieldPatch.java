package io.sluice.provider.cosmos.request;

import com.azure.cosmos.models.CosmosPatchOperations;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** New values for top-level fields; at most ten, which is the service's limit for one patch. */
public final class FieldPatch {
    private static final int MAX_OPERATIONS = 10;

    private final Map<String, Object> values = new LinkedHashMap<>();
    private final Map<String, Long> increments = new LinkedHashMap<>();

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

    CosmosPatchOperations operations() {
        CosmosPatchOperations operations = CosmosPatchOperations.create();
        values.forEach((field, value) -> operations.set("/" + field, value));
        increments.forEach((field, by) -> operations.increment("/" + field, by.longValue()));
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
        return bytes + increments.size() * 96;
    }

    private void checkSize() {
        if (values.size() + increments.size() > MAX_OPERATIONS) {
            throw new IllegalStateException("a patch sets at most " + MAX_OPERATIONS + " fields");
        }
    }

    @Override
    public String toString() {
        return "FieldPatch" + values.keySet() + increments.keySet();
    }
}
