package io.sluice.provider.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value as it was read, with its place. Numbers keep their text, so that nothing is rounded. Fields may come in
 * any order and the discriminator last, hence a value is read whole before it is interpreted. Not changed once
 * {@link #parse} has returned it.
 */
public final class JsonValue {
    /** What a value is. An integer is a number written without fraction and exponent. */
    enum Kind {
        OBJECT("an object"),
        ARRAY("an array"),
        STRING("a string"),
        INTEGER("an integer"),
        FRACTION("a number with fraction or exponent"),
        TRUE("true"),
        FALSE("false"),
        NULL("null");

        private final String description;

        Kind(String description) {
            this.description = description;
        }

        String description() {
            return description;
        }
    }

    /**
     * Where a value stands.
     *
     * @param parent what it stands in; null for the outermost value
     * @param name the name of the field, the index of the element
     * @param offset characters before it in the text
     */
    record Place(@Nullable JsonValue parent, String name, long offset) {
        String path() {
            if (parent == null) {
                return name;
            }
            return parent.path() + (parent.kind == Kind.ARRAY ? "[" + name + "]" : "." + JsonFault.printable(name));
        }
    }

    private static final long MAX_U32 = 0xFFFF_FFFFL;
    private static final int MAX_U64_DIGITS = 20;

    private final Kind kind;
    private final Place place;
    private final String text;
    private final Map<String, JsonValue> fields;
    private final List<JsonValue> elements;

    JsonValue(Kind kind, Place place, String text) {
        this.kind = kind;
        this.place = place;
        this.text = text;
        this.fields = kind == Kind.OBJECT ? new LinkedHashMap<>() : Map.of();
        this.elements = kind == Kind.ARRAY ? new ArrayList<>() : List.of();
    }

    /**
     * Reads a whole text.
     *
     * @param what the name of the thing for messages, such as {@code history event}
     * @throws JsonFault when the text is not one JSON value, repeats a field (anywhere: two readers would not agree on
     *     which one counts), is nested deeper than 128 levels, or holds half a surrogate pair
     */
    public static JsonValue parse(String json, String what) {
        return JsonReader.read(json, what);
    }

    /** Adds a field of an object; false when it is there already. */
    boolean add(String name, JsonValue value) {
        return fields.putIfAbsent(name, value) == null;
    }

    /** Adds an element of an array. */
    void add(JsonValue value) {
        elements.add(value);
    }

    Kind kind() {
        return kind;
    }

    String path() {
        return place.path();
    }

    long offset() {
        return place.offset();
    }

    /** The characters of a string, the digits of a number. */
    String text() {
        return text;
    }

    Map<String, JsonValue> fields() {
        return fields;
    }

    List<JsonValue> elements() {
        return elements;
    }

    /** The refusal of this value where {@code expected} should be. */
    JsonFault instead(String expected) {
        return fault("expected " + expected + ", found " + kind.description());
    }

    /** A fault of this value, for checks beyond its type. */
    JsonFault fault(String message) {
        return new JsonFault(path(), offset(), message);
    }

    /** The text of a string value. */
    String asString() {
        if (kind != Kind.STRING) {
            throw instead("a string");
        }
        return text;
    }

    /** An unsigned 64-bit integer, in the bits of a long. */
    long asU64() {
        if (kind != Kind.INTEGER) {
            throw instead("an unsigned integer");
        }
        if (text.charAt(0) == '-') {
            throw fault("expected an unsigned integer, found a minus sign");
        }
        if (text.length() <= MAX_U64_DIGITS) {
            try {
                return Long.parseUnsignedLong(text);
            } catch (NumberFormatException e) {
                // 20 digits beyond 2^64 - 1: refused below, like longer ones
            }
        }
        throw fault("expected an unsigned 64-bit integer, found a larger one of " + text.length() + " digits");
    }

    /** An unsigned 32-bit integer. */
    long asU32() {
        long number = asU64();
        if (Long.compareUnsigned(number, MAX_U32) > 0) {
            throw fault("expected an unsigned 32-bit integer, found a larger one");
        }
        return number;
    }

    /** A boolean. */
    boolean asBool() {
        if (kind != Kind.TRUE && kind != Kind.FALSE) {
            throw instead("a boolean");
        }
        return kind == Kind.TRUE;
    }

    /** Whether this is a string, as opposed to anything else. */
    boolean isString() {
        return kind == Kind.STRING;
    }

    /** The elements of an array. */
    List<JsonValue> asList() {
        if (kind != Kind.ARRAY) {
            throw instead("an array");
        }
        return elements;
    }

    /** The only field of an object. */
    Map.Entry<String, JsonValue> onlyField() {
        if (kind != Kind.OBJECT) {
            throw instead("an object with one key");
        }
        if (fields.size() != 1) {
            throw fault("expected an object with one key, found one with " + fields.size());
        }
        return fields.entrySet().iterator().next();
    }
}
