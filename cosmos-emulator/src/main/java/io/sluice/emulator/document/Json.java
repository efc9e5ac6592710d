package io.sluice.emulator.document;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NumericNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import java.io.IOException;
import java.math.BigInteger;

/**
 * Reads and writes the JSON of requests and documents. Refuses text after the value, numbers outside of a double's
 * range, and whatever exceeds Jackson's limits on depth and length.
 */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .nodeFactory(new ServiceNumbers())
            .build();

    private Json() {}

    /** Numbers as the service keeps them: 64-bit integers, and doubles for larger ones; none is infinite. */
    private static final class ServiceNumbers extends JsonNodeFactory {
        private static final long serialVersionUID = 1L;

        @Override
        public NumericNode numberNode(double number) {
            if (!Double.isFinite(number)) {
                throw StatusException.badRequest(
                        "The input content is invalid: a number is out of the range of a double.");
            }
            return super.numberNode(number);
        }

        @Override
        public ValueNode numberNode(BigInteger number) {
            return numberNode(number.doubleValue());
        }
    }

    /** Makes nodes of numbers as {@link #read} does. */
    public static JsonNodeFactory nodes() {
        return MAPPER.getNodeFactory();
    }

    /** A new, empty object. */
    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** The value in a text. */
    public static JsonNode read(String text) throws JsonProcessingException {
        return MAPPER.readTree(text);
    }

    /**
     * The object in a request's body.
     *
     * @throws StatusException 400 when it is not JSON, or not an object
     */
    public static ObjectNode readObject(byte[] body) {
        if (readValue(body) instanceof ObjectNode object) {
            return object;
        }
        throw StatusException.badRequest("The input content is invalid: it must be a JSON object.");
    }

    /**
     * The value in a request's body.
     *
     * @throws StatusException 400 when it is not JSON
     */
    public static JsonNode readValue(byte[] body) {
        try {
            return MAPPER.readTree(body);
        } catch (MismatchedInputException e) {
            throw StatusException.badRequest("The input content is invalid: there is text after the end of the value.");
        } catch (JsonProcessingException e) {
            throw StatusException.badRequest("The input content is invalid: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw StatusException.badRequest("The input content is invalid: it is not UTF-8 JSON.");
        }
    }

    /**
     * The UTF-8 bytes of a value.
     *
     * @throws StatusException 400 when it can't be written: half a surrogate pair, or nested too deep
     */
    public static byte[] bytes(JsonNode value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw StatusException.badRequest("The document can't be written as JSON: " + e.getOriginalMessage());
        }
    }
}
