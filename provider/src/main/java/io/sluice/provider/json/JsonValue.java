package io.sluice.provider.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A JSON value as it was read, with its place. Numbers keep their text, so that nothing is rounded. Fields may come in any order and the
 * discriminator last, hence a value is read whole before it is looked at.
 */
public final class JsonValue {
    /** Deeper nesting is refused; the Rust reader has the same limit. */
    static final int MAX_DEPTH = 128;

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

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
            .build();

    private final Kind kind;
    private final String path;
    private final long offset;
    private final String text;
    private final Map<String, JsonValue> fields;
    private final List<JsonValue> elements;

    private JsonValue(Kind kind, Place place, String text, Map<String, JsonValue> fields, List<JsonValue> elements) {
        this.kind = kind;
        this.path = place.path();
        this.offset = place.offset();
        this.text = text;
        this.fields = fields;
        this.elements = elements;
    }

    /**
     * Reads a whole text.
     *
     * @param what the name of the thing for messages, such as {@code history event}
     * @throws JsonFault when the text is not one JSON value, repeats a field, is nested deeper than 128 levels, or holds half a
     *     surrogate pair
     */
    public static JsonValue parse(String json, String what) {
        try (JsonParser parser = FACTORY.createParser(json)) {
            try {
                if (parser.nextToken() == null) {
                    throw new JsonFault(what, 0, "expected JSON, found nothing");
                }
                JsonValue value = read(parser, what);
                if (parser.nextToken() != null) {
                    throw new JsonFault(what, offset(parser), "expected nothing after the value");
                }
                return value;
            } catch (JsonProcessingException e) {
                // Its message quotes the text, so it is not passed on: logs must not hold payloads.
                throw new JsonFault(what, offset(parser), "not well-formed JSON, or beyond the limits of a reader");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory cannot fail", e);
        }
    }

    private static JsonValue read(JsonParser parser, String path) throws IOException {
        Place place = new Place(path, parser.currentTokenLocation().getCharOffset());
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> readObject(parser, place);
            case START_ARRAY -> readArray(parser, place);
            case VALUE_STRING -> scalar(Kind.STRING, place, wellFormed(parser.getText(), place));
            case VALUE_NUMBER_INT -> scalar(Kind.INTEGER, place, parser.getText());
            case VALUE_NUMBER_FLOAT -> scalar(Kind.FRACTION, place, parser.getText());
            case VALUE_TRUE -> scalar(Kind.TRUE, place, "true");
            case VALUE_FALSE -> scalar(Kind.FALSE, place, "false");
            case VALUE_NULL -> scalar(Kind.NULL, place, "null");
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
                throw new AssertionError("not the start of a value: " + token);
        };
    }

    private static JsonValue readObject(JsonParser parser, Place place) throws IOException {
        Map<String, JsonValue> fields = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            Place field = new Place(place.path(), parser.currentTokenLocation().getCharOffset());
            String name = wellFormed(parser.currentName(), field);
            parser.nextToken();
            if (fields.put(name, read(parser, place.path() + '.' + name)) != null) {
                throw new JsonFault(place.path() + '.' + name, field.offset(), "expected once, found twice");
            }
        }
        return new JsonValue(Kind.OBJECT, place, "", fields, List.of());
    }

    private static JsonValue readArray(JsonParser parser, Place place) throws IOException {
        List<JsonValue> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(read(parser, place.path() + '[' + elements.size() + ']'));
        }
        return new JsonValue(Kind.ARRAY, place, "", Map.of(), elements);
    }

    private static JsonValue scalar(Kind kind, Place place, String text) {
        return new JsonValue(kind, place, text, Map.of(), List.of());
    }

    private static String wellFormed(String text, Place place) {
        if (Surrogates.firstLone(text) >= 0) {
            throw new JsonFault(place.path(), place.offset(), "expected Unicode text, found half a surrogate pair");
        }
        return text;
    }

    private static long offset(JsonParser parser) {
        return Math.max(0, parser.currentLocation().getCharOffset());
    }

    Kind kind() {
        return kind;
    }

    String path() {
        return path;
    }

    long offset() {
        return offset;
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
    public JsonFault fault(String message) {
        return new JsonFault(path, offset, message);
    }

    /** The text of a string value. */
    public String asString() {
        if (kind != Kind.STRING) {
            throw instead("a string");
        }
        return text;
    }

    /** Whether this is a string, as opposed to anything else. */
    public boolean isString() {
        return kind == Kind.STRING;
    }

    /** The elements of an array. */
    public List<JsonValue> asList() {
        if (kind != Kind.ARRAY) {
            throw instead("an array");
        }
        return elements;
    }

    /** The only field of an object that names a variant by its key. */
    public Map.Entry<String, JsonValue> asVariant() {
        if (kind != Kind.OBJECT || fields.size() != 1) {
            throw fault("expected an object with one key naming the variant, found " + kind.description()
                    + (kind == Kind.OBJECT ? " with " + fields.size() : ""));
        }
        return fields.entrySet().iterator().next();
    }

    private record Place(String path, long offset) {}
}
