package io.sluice.provider.json;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one JSON object, taken one by one; what is left at the end is unknown to this version. Not for several
 * threads.
 */
public final class JsonFields {
    private final JsonValue source;
    private final Map<String, JsonValue> left;

    private JsonFields(JsonValue source, Map<String, JsonValue> left) {
        this.source = source;
        this.left = left;
    }

    /** The fields of an object. */
    public static JsonFields of(JsonValue value) {
        if (value.kind() != JsonValue.Kind.OBJECT) {
            throw value.instead("an object");
        }
        return new JsonFields(value, new LinkedHashMap<>(value.fields()));
    }

    /** The fields of an object, or of an array that holds the values of these fields in this order: Rust reads both. */
    static JsonFields of(JsonValue value, List<String> order) {
        if (value.kind() != JsonValue.Kind.ARRAY) {
            return of(value);
        }
        List<JsonValue> elements = value.elements();
        if (elements.size() > order.size()) {
            throw value.fault("expected at most " + order.size() + " elements, found " + elements.size());
        }
        Map<String, JsonValue> fields = new LinkedHashMap<>();
        for (int i = 0; i < elements.size(); i++) {
            fields.put(order.get(i), elements.get(i));
        }
        return new JsonFields(value, fields);
    }

    /** A required value of any type. */
    JsonValue value(String name) {
        JsonValue value = left.remove(name);
        if (value == null) {
            throw new JsonFault(source.path() + '.' + name, source.offset(), "required, but missing");
        }
        return value;
    }

    /** An optional value of any type; null stands for both absent and null. */
    @Nullable
    JsonValue nullable(String name) {
        JsonValue value = left.remove(name);
        return value == null || value.kind() == JsonValue.Kind.NULL ? null : value;
    }

    /** Whether the field is there, be it null. */
    boolean has(String name) {
        return left.containsKey(name);
    }

    /** What nobody has taken: the JSON text by name, in the order of reading. */
    Map<String, String> rest() {
        if (left.isEmpty()) {
            return Map.of();
        }
        Map<String, String> rest = new LinkedHashMap<>();
        left.forEach((name, value) -> rest.put(name, JsonOutput.text(value)));
        return rest;
    }
}
