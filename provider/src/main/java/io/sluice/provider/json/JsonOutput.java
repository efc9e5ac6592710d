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
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON as Rust's serde_json does: no white space; in strings only the quote, the backslash and U+0000 to U+001F
 * are escaped, the short form where there is one, else four lower-case hex digits; everything else raw. Not for several
 * threads.
 */
public final class JsonOutput {
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
    public interface Body {
        /** Writes it. */
        void write(JsonOutput out) throws IOException;
    }

    /**
     * The text that {@code body} writes.
     *
     * @throws IllegalArgumentException when a field is written twice in one object, or a string holds half a surrogate
     *     pair
     */
    public static String text(Body body) {
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

    /** An object that stands alone or in an array. */
    public void object(Body body) throws IOException {
        generator.writeStartObject();
        body.write(this);
        generator.writeEndObject();
    }

    /** A field that holds an object. */
    public void object(String name, Body body) throws IOException {
        generator.writeFieldName(name);
        object(body);
    }

    /** A field that holds an array. */
    public void array(String name, Body body) throws IOException {
        generator.writeFieldName(name);
        generator.writeStartArray();
        body.write(this);
        generator.writeEndArray();
    }

    /**
     * An array of two strings.
     *
     * @throws IllegalArgumentException when one holds half a surrogate pair
     */
    public void pair(String first, String second) throws IOException {
        generator.writeStartArray();
        generator.writeString(wellFormed("the first of a pair", first));
        generator.writeString(wellFormed("the second of a pair", second));
        generator.writeEndArray();
    }

    /**
     * A string field.
     *
     * @throws IllegalArgumentException when it holds half a surrogate pair, which UTF-8 cannot say
     */
    public void string(String name, String value) throws IOException {
        generator.writeFieldName(name);
        generator.writeString(wellFormed(name, value));
    }

    /** A string field that is always written, null when empty. */
    public void stringOrNull(String name, @Nullable String value) throws IOException {
        if (value == null) {
            generator.writeNullField(name);
        } else {
            string(name, value);
        }
    }

    /** A string field that is left out when empty. */
    public void stringIfPresent(String name, @Nullable String value) throws IOException {
        if (value != null) {
            string(name, value);
        }
    }

    /** An unsigned integer field, from the bits of a long. */
    public void u64(String name, long value) throws IOException {
        generator.writeFieldName(name);
        if (value >= 0) {
            generator.writeNumber(value);
        } else {
            generator.writeNumber(Long.toUnsignedString(value));
        }
    }

    /** An unsigned integer field that is always written, null when empty. */
    public void u64OrNull(String name, @Nullable Long value) throws IOException {
        if (value == null) {
            generator.writeNullField(name);
        } else {
            u64(name, value);
        }
    }

    /** An unsigned integer field that is left out when empty. */
    public void u64IfPresent(String name, @Nullable Long value) throws IOException {
        if (value != null) {
            u64(name, value);
        }
    }

    /** A boolean field. */
    public void bool(String name, boolean value) throws IOException {
        generator.writeBooleanField(name, value);
    }

    /**
     * A field whose value is JSON text already.
     *
     * @throws IllegalArgumentException when the name holds half a surrogate pair
     */
    public void raw(String name, String json) throws IOException {
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
