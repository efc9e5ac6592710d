package io.sluice.provider.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.exc.StreamWriteException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * Writes JSON as Rust's serde_json does: no white space; in strings only the quote, the backslash and U+0000 to U+001F
 * are escaped, the short form where there is one, else four lower-case hex digits; everything else raw. Not for several
 * threads.
 */
final class JsonOutput {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
            .disable(JsonWriteFeature.ESCAPE_FORWARD_SLASHES)
            .enable(StreamWriteFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final int USUAL_CHARACTERS = 256;

    private final JsonGenerator generator;

    private JsonOutput(JsonGenerator generator) {
        this.generator = generator;
    }

    /** What writes the inside of a value. */
    @FunctionalInterface
    interface Body {
        /** Writes it. */
        void write(JsonOutput out) throws IOException;
    }

    /**
     * The text that {@code body} writes.
     *
     * @throws IllegalArgumentException when a field is written twice in one object, or a string holds half a surrogate
     *     pair
     */
    static String text(Body body) {
        StringWriter text = new StringWriter(USUAL_CHARACTERS);
        try (JsonGenerator generator = FACTORY.createGenerator(text)) {
            body.write(new JsonOutput(generator));
        } catch (StreamWriteException e) {
            throw new IllegalArgumentException("not one well-formed value: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory cannot fail", e);
        }
        return text.toString();
    }

    static String text(JsonValue value) {
        return text(out -> out.copy(value));
    }

    /** An object. */
    void object(Body body) throws IOException {
        generator.writeStartObject();
        body.write(this);
        generator.writeEndObject();
    }

    /** An array. */
    void array(Body body) throws IOException {
        generator.writeStartArray();
        body.write(this);
        generator.writeEndArray();
    }

    /** The name of a field; what is written next is its value. */
    JsonOutput field(String name) throws IOException {
        generator.writeFieldName(name);
        return this;
    }

    /**
     * A string.
     *
     * @throws IllegalArgumentException when it holds half a surrogate pair
     */
    void string(String value) throws IOException {
        String name = generator.getOutputContext().getCurrentName();
        generator.writeString(wellFormed(name == null ? "an element" : name, value));
    }

    /** An unsigned integer, from the bits of a long. */
    void u64(long value) throws IOException {
        if (value >= 0) {
            generator.writeNumber(value);
        } else {
            generator.writeNumber(Long.toUnsignedString(value));
        }
    }

    /** A boolean. */
    void bool(boolean value) throws IOException {
        generator.writeBoolean(value);
    }

    /** Null. */
    void none() throws IOException {
        generator.writeNull();
    }

    /**
     * A field whose value is JSON text already.
     *
     * @throws IllegalArgumentException when the name holds half a surrogate pair, which UTF-8 cannot say
     */
    void raw(String name, String json) throws IOException {
        generator.writeFieldName(wellFormed("a field name", name));
        generator.writeRawValue(json);
    }

    private void copy(JsonValue value) throws IOException {
        switch (value.kind()) {
            case OBJECT -> {
                generator.writeStartObject();
                for (Map.Entry<String, JsonValue> field : value.fields().entrySet()) {
                    generator.writeFieldName(field.getKey());
                    copy(field.getValue());
                }
                generator.writeEndObject();
            }
            case ARRAY -> {
                generator.writeStartArray();
                for (JsonValue element : value.elements()) {
                    copy(element);
                }
                generator.writeEndArray();
            }
            case STRING -> generator.writeString(value.text());
            case INTEGER, FRACTION -> generator.writeNumber(value.text());
            case TRUE -> generator.writeBoolean(true);
            case FALSE -> generator.writeBoolean(false);
            case NULL -> generator.writeNull();
        }
    }

    private static String wellFormed(String name, String value) {
        int lone = Surrogates.firstLone(value);
        if (lone >= 0) {
            throw new IllegalArgumentException(
                    name + " must be Unicode text, has half a surrogate pair at character " + lone);
        }
        return value;
    }
}
