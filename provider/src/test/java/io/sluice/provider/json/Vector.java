package io.sluice.provider.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** One test vector of the contract. */
public record Vector(String name, JsonNode content) {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** All vectors of a file in {@code /vectors}. */
    public static Stream<Vector> all(String file) {
        try (InputStream stream = Objects.requireNonNull(Vector.class.getResourceAsStream("/vectors/" + file), file)) {
            JsonNode vectors = MAPPER.readTree(stream);
            return StreamSupport.stream(vectors.spliterator(), false)
                    .map(vector -> new Vector(vector.path("name").textValue(), vector));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The value of a JSON text, for comparison. */
    public static JsonNode parsed(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A text of the vector. */
    public String text(String field) {
        return Objects.requireNonNull(content.path(field).textValue(), field);
    }

    /** Another value of the vector. */
    public JsonNode value(String field) {
        return content.path(field);
    }

    /** The name, made visible. */
    @Override
    public String toString() {
        StringBuilder visible = new StringBuilder("“");
        name.codePoints().forEach(codePoint -> {
            if (Character.isISOControl(codePoint)) {
                visible.append("U+%04X".formatted(codePoint));
            } else {
                visible.appendCodePoint(codePoint);
            }
        });
        return visible.append("”").toString();
    }
}
