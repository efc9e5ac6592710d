package io.sluice.provider.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.sluice.provider.json.JsonValue.Kind;
import io.sluice.provider.json.JsonValue.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Reads one text into a value, token by token. */
final class JsonReader {
    /** Deeper nesting is refused; the Rust reader has the same limit. */
    private static final int MAX_DEPTH = 128;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
            .build();

    private final JsonParser parser;

    private JsonReader(JsonParser parser) {
        this.parser = parser;
    }

    static JsonValue read(String json, String what) {
        try (JsonParser parser = FACTORY.createParser(json)) {
            return new JsonReader(parser).document(what);
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory cannot fail", e);
        }
    }

    private JsonValue document(String what) throws IOException {
        try {
            if (parser.nextToken() == null) {
                throw new JsonFault(what, 0, "expected JSON, found nothing");
            }
            JsonValue value = value(null, what);
            if (parser.nextToken() != null) {
                throw new JsonFault(what, offset(), "expected nothing after the value");
            }
            return value;
        } catch (JsonProcessingException e) {
            // Its message quotes the text, so it is not passed on: logs must not hold payloads.
            long offset = Math.max(0, parser.currentLocation().getCharOffset());
            throw new JsonFault(what, offset, "not well-formed JSON, or beyond the limits of the reader");
        }
    }

    private JsonValue value(@Nullable JsonValue parent, String name) throws IOException {
        Place place = new Place(parent, name, offset());
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> object(place);
            case START_ARRAY -> array(place);
            case VALUE_STRING -> new JsonValue(Kind.STRING, place, wellFormed(parser.getText(), place));
            case VALUE_NUMBER_INT -> new JsonValue(Kind.INTEGER, place, parser.getText());
            case VALUE_NUMBER_FLOAT -> new JsonValue(Kind.FRACTION, place, parser.getText());
            case VALUE_TRUE -> new JsonValue(Kind.TRUE, place, "true");
            case VALUE_FALSE -> new JsonValue(Kind.FALSE, place, "false");
            case VALUE_NULL -> new JsonValue(Kind.NULL, place, "null");
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
                throw new AssertionError("not the start of a value: " + token);
        };
    }

    private JsonValue object(Place place) throws IOException {
        JsonValue object = new JsonValue(Kind.OBJECT, place, "");
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            Place field = new Place(object, "(a name)", offset());
            String name = wellFormed(parser.currentName(), field);
            parser.nextToken();
            JsonValue value = value(object, name);
            if (!object.add(name, value)) {
                throw new JsonFault(value.path(), field.offset(), "expected once, found twice");
            }
        }
        return object;
    }

    private JsonValue array(Place place) throws IOException {
        JsonValue array = new JsonValue(Kind.ARRAY, place, "");
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            array.add(value(array, Integer.toString(array.elements().size())));
        }
        return array;
    }

    private static String wellFormed(String text, Place place) {
        if (Surrogates.firstLone(text) >= 0) {
            throw new JsonFault(place.path(), place.offset(), "expected Unicode text, found half a surrogate pair");
        }
        return text;
    }

    private long offset() {
        return parser.currentTokenLocation().getCharOffset();
    }
}
