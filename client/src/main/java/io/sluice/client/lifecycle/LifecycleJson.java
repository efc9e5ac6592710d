package io.sluice.client.lifecycle;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the values of the topics of this package: JSON in UTF-8, times as ISO 8601 text, absent instead of
 * null. Fields that are not known are left alone, so newer relays do not break older readers. Thread-safe.
 */
public final class LifecycleJson {
    private static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE)
            // Facts of an unknown type are handed on unchanged, numbers digit by digit.
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
            .build();

    private static final String TYPE = "type";
    private static final String FACT = "fact";
    private static final Fact STAND_IN = new Fact.Created();

    private LifecycleJson() {}

    /**
     * The bytes of a record of this package. A fact that was {@linkplain Fact.Unknown not known} is written as it was
     * read.
     */
    public static byte[] encode(Object value) {
        try {
            return value instanceof LifecycleEvent event && event.fact() instanceof Fact.Unknown unknown
                    ? JSON.writeValueAsBytes(newer(event, unknown))
                    : JSON.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON for " + value.getClass().getName(), e);
        }
    }

    /**
     * A record of {@code <prefix>.lifecycle}; a fact of a type that this version does not know is {@link Fact.Unknown}.
     *
     * @throws IllegalArgumentException when the bytes are no such record; the message says where, and quotes nothing
     */
    public static LifecycleEvent event(byte[] value) {
        try {
            return present(JSON.readValue(value, LifecycleEvent.class), LifecycleEvent.class);
        } catch (InvalidTypeIdException e) {
            return newer(value);
        } catch (IOException e) {
            throw notOne(LifecycleEvent.class, e);
        }
    }

    /** All but the fact is read as ever; a fact that says nothing stands in for it. */
    private static LifecycleEvent newer(byte[] value) {
        try {
            var tree = JSON.readTree(value);
            var type = tree.path(TYPE);
            if (!(tree instanceof ObjectNode event) || !type.isTextual() || !tree.hasNonNull(FACT)) {
                throw new IllegalArgumentException("no LifecycleEvent: type or fact is missing");
            }
            var unknown = new Fact.Unknown(type.textValue(), JSON.writeValueAsString(event.remove(FACT)));
            event.put(TYPE, STAND_IN.type()).putObject(FACT);
            return with(JSON.treeToValue(event, LifecycleEvent.class), unknown);
        } catch (IOException e) {
            throw notOne(LifecycleEvent.class, e);
        }
    }

    private static ObjectNode newer(LifecycleEvent event, Fact.Unknown unknown) throws JsonProcessingException {
        ObjectNode tree = JSON.valueToTree(with(event, STAND_IN));
        tree.set(FACT, JSON.readTree(unknown.json()));
        return tree.put(TYPE, unknown.type());
    }

    private static LifecycleEvent with(LifecycleEvent event, Fact fact) {
        return new LifecycleEvent(
                event.id(),
                event.instance(),
                event.execution(),
                event.event(),
                event.time(),
                event.orchestration(),
                event.version(),
                event.parent(),
                event.correlation(),
                fact);
    }

    /**
     * A value of another topic of this package.
     *
     * @throws IllegalArgumentException when the bytes are no such record
     */
    public static <T> T decode(byte[] value, Class<T> type) {
        try {
            return present(JSON.readValue(value, type), type);
        } catch (IOException e) {
            throw notOne(type, e);
        }
    }

    /** The JSON {@code null} is no record of ours. */
    private static <T> T present(@Nullable T read, Class<T> type) {
        if (read == null) {
            throw new IllegalArgumentException("no " + type.getSimpleName() + ": null");
        }
        return read;
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
