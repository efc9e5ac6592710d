package io.sluice.provider;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.json.JsonFault;
import io.sluice.provider.json.JsonValue;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * What a host keeps along with an instance and the store itself has no field for, such as tags or a status of its own:
 * a JSON object. It is part of the instance's document, so reading and writing it costs no request and no operation.
 * {@link InstanceQueries} can select by the fields of the object. Immutable.
 *
 * @param json the object without white space, in the order in which it was given; numbers as the store writes them
 *     ({@code 1.0} becomes {@code 1}), so that what is read back equals what was written
 */
public record InstanceExt(String json) {
    /** Most bytes of the object as UTF-8, without white space: 16 KB. */
    public static final int MAX_BYTES = 16 * 1024;

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .build();

    private static final double LARGEST_WHOLE = 1L << 53;

    /**
     * Checks the text.
     *
     * @throws IllegalArgumentException naming the field and what is wrong, when the text is no JSON object, repeats a
     *     field, is nested deeper than 128 levels, takes more than {@link #MAX_BYTES} or has a number that the store,
     *     whose numbers have 64 bits with a fraction, would change
     */
    public InstanceExt {
        json = canonical(json);
    }

    private static String canonical(String text) {
        try {
            JsonValue.parse(text, "ext");
            if (!(MAPPER.readTree(text) instanceof ObjectNode object)) {
                throw new IllegalArgumentException("ext must be a JSON object, was another JSON value");
            }
            String canonical = MAPPER.writeValueAsString(canonical("ext", object));
            int bytes = canonical.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > MAX_BYTES) {
                throw new IllegalArgumentException(
                        "ext must have at most " + MAX_BYTES + " bytes as JSON, had " + bytes);
            }
            return canonical;
        } catch (JsonFault e) {
            throw new IllegalArgumentException(
                    "ext must be a JSON object; " + e.path() + ", character " + e.offset() + ": " + e.expectation(), e);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("ext must be a JSON object, can't be read as one", e);
        }
    }

    private static JsonNode canonical(String path, JsonNode value) {
        if (value instanceof ObjectNode object) {
            ObjectNode copy = JsonNodeFactory.instance.objectNode();
            for (var field : object.properties()) {
                copy.set(field.getKey(), canonical(path + "." + JsonFault.printable(field.getKey()), field.getValue()));
            }
            return copy;
        }
        if (value instanceof ArrayNode array) {
            ArrayNode copy = JsonNodeFactory.instance.arrayNode();
            for (int i = 0; i < array.size(); i++) {
                copy.add(canonical(path + "[" + i + "]", array.get(i)));
            }
            return copy;
        }
        return value.isNumber() ? number(path, value.decimalValue()) : value;
    }

    private static JsonNode number(String path, BigDecimal written) {
        double stored = written.doubleValue();
        if (Double.isInfinite(stored) || new BigDecimal(Double.toString(stored)).compareTo(written) != 0) {
            throw new IllegalArgumentException(path + " must be a number that 64 bits with a fraction hold exactly;"
                    + " write larger ones as texts");
        }
        boolean isWhole = stored == Math.rint(stored) && Math.abs(stored) <= LARGEST_WHOLE;
        return isWhole
                ? JsonNodeFactory.instance.numberNode((long) stored)
                : JsonNodeFactory.instance.numberNode(stored);
    }
}
