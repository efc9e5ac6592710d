package io.sluice.emulator.query.function;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.sluice.emulator.query.value.JsonValues;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Functions on arrays and objects. */
final class ArrayFunctions {
    static final List<BuiltIn> ALL = List.of(
            new BuiltIn("ARRAY_CONCAT", 2, Integer.MAX_VALUE, ArrayFunctions::concat),
            new BuiltIn("ARRAY_CONTAINS", 2, 3, ArrayFunctions::contains),
            new BuiltIn("ARRAY_CONTAINS_ALL", 2, Integer.MAX_VALUE, arguments -> containsMany(arguments, true)),
            new BuiltIn("ARRAY_CONTAINS_ANY", 2, Integer.MAX_VALUE, arguments -> containsMany(arguments, false)),
            BuiltIn.of("ARRAY_LENGTH", 1, ArrayFunctions::length),
            new BuiltIn("ARRAY_SLICE", 2, 3, ArrayFunctions::slice),
            new BuiltIn("CHOOSE", 2, Integer.MAX_VALUE, ArrayFunctions::choose),
            new BuiltIn("OBJECTTOARRAY", 1, 3, ArrayFunctions::objectToArray),
            BuiltIn.of("SETINTERSECT", 2, ArrayFunctions::intersect),
            BuiltIn.of("SETUNION", 2, ArrayFunctions::union));

    private ArrayFunctions() {}

    private static JsonNode concat(Arguments arguments) {
        if (!arguments.values().stream().allMatch(JsonNode::isArray)) {
            return JsonValues.UNDEFINED;
        }
        ArrayNode whole = JsonValues.array();
        arguments.values().forEach(array -> array.forEach(whole::add));
        return whole;
    }

    private static JsonNode contains(Arguments arguments) {
        boolean isTyped = !arguments.isGiven(2) || arguments.at(2).isBoolean();
        if (!arguments.at(0).isArray() || JsonValues.isUndefined(arguments.at(1)) || !isTyped) {
            return JsonValues.UNDEFINED;
        }
        boolean partial = JsonValues.isTrue(arguments.at(2));
        return JsonValues.of(holds(arguments.at(0), arguments.at(1), partial));
    }

    private static JsonNode containsMany(Arguments arguments, boolean all) {
        List<JsonNode> wanted = arguments.values().subList(1, arguments.size());
        if (!arguments.at(0).isArray() || wanted.stream().anyMatch(JsonValues::isUndefined)) {
            return JsonValues.UNDEFINED;
        }
        Predicate<JsonNode> isHeld = value -> holds(arguments.at(0), value, false);
        return JsonValues.of(
                all ? wanted.stream().allMatch(isHeld) : wanted.stream().anyMatch(isHeld));
    }

    private static boolean holds(JsonNode array, JsonNode wanted, boolean partial) {
        for (JsonNode element : array) {
            boolean matches = (partial && wanted.isObject())
                    ? hasProperties(element, wanted)
                    : JsonValues.areEqual(element, wanted);
            if (matches) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasProperties(JsonNode element, JsonNode wanted) {
        for (Map.Entry<String, JsonNode> property : wanted.properties()) {
            JsonNode found = element.path(property.getKey());
            if (!JsonValues.areEqual(found, property.getValue())) {
                return false;
            }
        }
        return element.isObject();
    }

    private static JsonNode length(Arguments arguments) {
        return arguments.at(0).isArray() ? JsonValues.of((long) arguments.at(0).size()) : JsonValues.UNDEFINED;
    }

    /** A negative start counts from the end. */
    private static JsonNode slice(Arguments arguments) {
        JsonNode array = arguments.at(0);
        if (!array.isArray() || !arguments.isWhole(1) || (arguments.isGiven(2) && !arguments.isWhole(2))) {
            return JsonValues.UNDEFINED;
        }
        long start = arguments.whole(1);
        long from = Math.max(0, start < 0 ? start + array.size() : start);
        long count = arguments.isGiven(2) ? arguments.whole(2) : array.size();
        ArrayNode part = JsonValues.array();
        for (long i = from; i < array.size() && i - from < count; i++) {
            part.add(array.get((int) i));
        }
        return part;
    }

    /** The first value has index 1. */
    private static JsonNode choose(Arguments arguments) {
        boolean isInside = arguments.isWhole(0) && arguments.whole(0) >= 1 && arguments.whole(0) < arguments.size();
        return isInside ? arguments.at((int) arguments.whole(0)) : JsonValues.UNDEFINED;
    }

    private static JsonNode objectToArray(Arguments arguments) {
        boolean isTyped = arguments.at(0).isObject()
                && IntStream.range(1, arguments.size()).allMatch(arguments::isText);
        if (!isTyped) {
            return JsonValues.UNDEFINED;
        }
        String key = arguments.isGiven(1) ? arguments.text(1) : "k";
        String value = arguments.isGiven(2) ? arguments.text(2) : "v";
        ArrayNode array = JsonValues.array();
        for (Map.Entry<String, JsonNode> property : arguments.at(0).properties()) {
            array.addObject().put(key, property.getKey()).set(value, property.getValue());
        }
        return array;
    }

    private static JsonNode intersect(Arguments arguments) {
        if (!arguments.at(0).isArray() || !arguments.at(1).isArray()) {
            return JsonValues.UNDEFINED;
        }
        Set<JsonNode> others = new HashSet<>();
        arguments.at(1).forEach(element -> others.add(JsonValues.canonical(element)));
        ArrayNode both = JsonValues.array();
        for (JsonNode element : arguments.at(0)) {
            if (others.remove(JsonValues.canonical(element))) {
                both.add(element);
            }
        }
        return both;
    }

    private static JsonNode union(Arguments arguments) {
        if (!arguments.at(0).isArray() || !arguments.at(1).isArray()) {
            return JsonValues.UNDEFINED;
        }
        Set<JsonNode> seen = new HashSet<>();
        ArrayNode either = JsonValues.array();
        for (JsonNode array : arguments.values()) {
            for (JsonNode element : array) {
                if (seen.add(JsonValues.canonical(element))) {
                    either.add(element);
                }
            }
        }
        return either;
    }
}
