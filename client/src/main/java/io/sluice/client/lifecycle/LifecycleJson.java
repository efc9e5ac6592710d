package io.sluice.client.lifecycle;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.util.Optional;

/**
 * Reads and writes the values of the topics of this package: JSON in UTF-8, times as ISO 8601 text, absent instead of null.
 * Fields that are not known are left alone, so newer relays do not break older readers. Thread-safe.
 */
public final class LifecycleJson {
    private static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
            .build();

    private LifecycleJson() {}

    /** The bytes of a record of this package. */
    public static byte[] encode(Object value) {
        try {
            return JSON.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON for " + value.getClass().getName(), e);
        }
    }

    /**
     * A record of {@code <prefix>.lifecycle}; empty for a fact of a type that this version does not know.
     *
     * @throws IllegalArgumentException when the bytes are no such record
     */
    public static Optional<LifecycleEvent> event(byte[] value) {
        try {
            return Optional.of(JSON.readValue(value, LifecycleEvent.class));
        } catch (InvalidTypeIdException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw notOne(LifecycleEvent.class, e);
        }
    }

    /**
     * A value of another topic of this package.
     *
     * @throws IllegalArgumentException when the bytes are no such record
     */
    public static <T> T decode(byte[] value, Class<T> type) {
        try {
            return JSON.readValue(value, type);
        } catch (IOException e) {
            throw notOne(type, e);
        }
    }

    /** Not the parser's own words: they may quote the payload. */
    private static IllegalArgumentException notOne(Class<?> type, IOException cause) {
        var place = cause instanceof JsonProcessingException json && json.getLocation() != null
                ? ": line " + json.getLocation().getLineNr() + ", column "
                        + json.getLocation().getColumnNr()
                : "";
        return new IllegalArgumentException("no " + type.getSimpleName() + place, cause);
    }
}
