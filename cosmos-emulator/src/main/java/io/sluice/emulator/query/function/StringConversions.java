package io.sluice.emulator.query.function;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.emulator.query.value.JsonValues;
import java.util.List;
import java.util.function.Predicate;

/** Functions between text and other values; text that is not JSON of the wanted type is undefined. */
final class StringConversions {
    private static final ObjectReader STRICT = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build()
            .readerFor(JsonNode.class);

    static final List<BuiltIn> ALL = List.of(
            parser("STRINGTOARRAY", JsonNode::isArray),
            parser("STRINGTOBOOLEAN", JsonNode::isBoolean),
            parser("STRINGTONULL", JsonNode::isNull),
            parser("STRINGTONUMBER", JsonNode::isNumber),
            parser("STRINGTOOBJECT", JsonNode::isObject),
            BuiltIn.of("TOSTRING", 1, StringConversions::toText));

    private StringConversions() {}

    private static BuiltIn parser(String name, Predicate<JsonNode> wanted) {
        return BuiltIn.of(name, 1, arguments -> {
            JsonNode parsed = arguments.isText(0) ? parse(arguments.text(0)) : JsonValues.UNDEFINED;
            return wanted.test(parsed) ? parsed : JsonValues.UNDEFINED;
        });
    }

    private static JsonNode parse(String text) {
        try {
            return STRICT.readTree(text);
        } catch (JsonProcessingException notJson) {
            return JsonValues.UNDEFINED;
        }
    }

    private static JsonNode toText(Arguments arguments) {
        JsonNode value = arguments.at(0);
        if (JsonValues.isUndefined(value) || value.isTextual()) {
            return value;
        }
        return JsonValues.of(value.isNumber() ? JsonValues.canonical(value).asText() : value.toString());
    }
}
