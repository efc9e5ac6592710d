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
    private static final long MAX_U32 = 0xFFFF_FFFFL;
    private static final int MAX_U64_DIGITS = 20;

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
    public static JsonFields of(JsonValue value, List<String> order) {
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
    public JsonValue value(String name) {
        JsonValue value = left.remove(name);
        if (value == null) {
            throw new JsonFault(source.path() + '.' + name, source.offset(), "required, but missing");
        }
        return value;
    }

    /** An optional value of any type; null stands for both absent and null. */
    public @Nullable JsonValue nullable(String name) {
        JsonValue value = left.remove(name);
        return value == null || value.kind() == JsonValue.Kind.NULL ? null : value;
    }

    /** Whether the field is there, be it null. */
    public boolean has(String name) {
        return left.containsKey(name);
    }

    /** A required string. */
    public String string(String name) {
        return value(name).asString();
    }

    /** An optional string. */
    public @Nullable String nullableString(String name) {
        JsonValue value = nullable(name);
        return value == null ? null : value.asString();
    }

    /** A required unsigned 64-bit integer, in the bits of a long. */
    public long u64(String name) {
        return unsigned(value(name));
    }

    /** An optional unsigned 64-bit integer. */
    public @Nullable Long nullableU64(String name) {
        JsonValue value = nullable(name);
        return value == null ? null : unsigned(value);
    }

    /** A required unsigned 32-bit integer. */
    public long u32(String name) {
        JsonValue value = value(name);
        long number = unsigned(value);
        if (Long.compareUnsigned(number, MAX_U32) > 0) {
            throw value.fault("expected an unsigned 32-bit integer, found a larger one");
        }
        return number;
    }

    /** A required boolean. */
    public boolean bool(String name) {
        JsonValue value = value(name);
        return switch (value.kind()) {
            case TRUE -> true;
            case FALSE -> false;
            case OBJECT, ARRAY, STRING, INTEGER, FRACTION, NULL -> throw value.instead("a boolean");
        };
    }

    /** What nobody has taken: the JSON text by name, in the order of reading. */
    public Map<String, String> rest() {
        if (left.isEmpty()) {
            return Map.of();
        }
        Map<String, String> rest = new LinkedHashMap<>();
        left.forEach((name, value) -> rest.put(name, JsonOutput.text(value)));
        return rest;
    }

    private static long unsigned(JsonValue value) {
        if (value.kind() != JsonValue.Kind.INTEGER) {
            throw value.instead("an unsigned integer");
        }
        String digits = value.text();
        if (digits.charAt(0) == '-') {
            throw value.fault("expected an unsigned integer, found a minus sign");
        }
        if (digits.length() <= MAX_U64_DIGITS) {
            try {
                return Long.parseUnsignedLong(digits);
            } catch (NumberFormatException e) {
                // 20 digits beyond 2^64 - 1: told below, like longer ones
            }
        }
        throw value.fault("expected an unsigned 64-bit integer, found a larger one of " + digits.length() + " digits");
    }
}
