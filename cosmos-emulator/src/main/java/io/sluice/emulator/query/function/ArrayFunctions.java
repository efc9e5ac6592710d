package io.sluice.emulator.query.function;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.sluice.emulator.query.value.Arithmetic;
import io.sluice.emulator.query.value.JsonValues;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Functions on arrays and objects. */
final class ArrayFunctions {
    static final List<BuiltIn> ALL = List.of(
            new BuiltIn("ARRAY_CONCAT", 2, Integer.MAX_VALUE, ArrayFunctions::concat),
            new BuiltIn("ARRAY_CONTAINS", 2, 3, ArrayFunctions::contains),
            new BuiltIn("ARRAY_CONTAINS_ALL", 2, Integer.MAX_VALUE, arguments -> containsMany(arguments, true)),
            new BuiltIn("ARRAY_CONTAINS_ANY", 2, Integer.MAX_VALUE, arguments -> containsMany(arguments, false)),
            elements("ARRAY_AVG", Aggregate.AVG),
            BuiltIn.of("ARRAY_LENGTH", 1, ArrayFunctions::length),
            elements("ARRAY_MAX", Aggregate.MAX),
            BuiltIn.of("ARRAY_MEDIAN", 1, ArrayFunctions::median),
            elements("ARRAY_MIN", Aggregate.MIN),
            new BuiltIn("ARRAY_SLICE", 2, 3, ArrayFunctions::slice),
            elements("ARRAY_SUM", Aggregate.SUM),
            new BuiltIn("CHOOSE", 2, Integer.MAX_VALUE, ArrayFunctions::choose),
            new BuiltIn("OBJECTTOARRAY", 1, 3, ArrayFunctions::objectToArray),
            BuiltIn.of("SETDIFFERENCE", 2, ArrayFunctions::difference),
            BuiltIn.of("SETEQUAL", 2, ArrayFunctions::haveEqualElements),
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

    /** What ARRAY_CONTAINS says of each value, joined by AND or by OR. */
    private static JsonNode containsMany(Arguments arguments, boolean all) {
        List<JsonNode> wanted = arguments.values().subList(1, arguments.size());
        if (!arguments.at(0).isArray()) {
            return JsonValues.UNDEFINED;
        }
        for (JsonNode value : wanted) {
            if (!JsonValues.isUndefined(value) && holds(arguments.at(0), value, false) != all) {
                return JsonValues.of(!all);
            }
        }
        return wanted.stream().anyMatch(JsonValues::isUndefined) ? JsonValues.UNDEFINED : JsonValues.of(all);
    }

    private static boolean holds(JsonNode array, JsonNode wanted, boolean partial) {
        return wanted.isTextual() ? holdsText(array, wanted.textValue()) : holdsAny(array, wanted, partial);
    }

    /** Queries compare each document's id with thousands of ids. */
    private static boolean holdsText(JsonNode array, String wanted) {
        for (int i = 0; i < array.size(); i++) {
            if (wanted.equals(array.get(i).textValue())) {
                return true;
            }
        }
        return false;
    }

    private static boolean holdsAny(JsonNode array, JsonNode wanted, boolean partial) {
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

    /** An aggregate over the elements of one array. */
    private static BuiltIn elements(String name, Aggregate aggregate) {
        return BuiltIn.of(name, 1, arguments -> {
            if (!arguments.at(0).isArray()) {
                return JsonValues.UNDEFINED;
            }
            Aggregate.Accumulator accumulator = aggregate.accumulator();
            arguments.at(0).forEach(accumulator::add);
            return accumulator.result();
        });
    }

    /** The middle number in order, or what lies between the two in the middle. */
    private static JsonNode median(Arguments arguments) {
        List<JsonNode> numbers = new ArrayList<>();
        for (JsonNode element : arguments.at(0)) {
            if (!element.isNumber() && !JsonValues.isUndefined(element)) {
                return JsonValues.UNDEFINED;
            }
            if (element.isNumber()) {
                numbers.add(element);
            }
        }
        if (!arguments.at(0).isArray() || numbers.isEmpty()) {
            return JsonValues.UNDEFINED;
        }
        numbers.sort(JsonValues.ORDER);
        JsonNode above = numbers.get(numbers.size() / 2);
        return numbers.size() % 2 == 1
                ? above
                : Arithmetic.divide(Arithmetic.add(numbers.get(numbers.size() / 2 - 1), above), JsonValues.of(2L));
    }

    private static JsonNode difference(Arguments arguments) {
        if (!arguments.at(0).isArray() || !arguments.at(1).isArray()) {
            return JsonValues.UNDEFINED;
        }
        Set<JsonNode> gone = elementsOf(arguments.at(1));
        ArrayNode left = JsonValues.array();
        for (JsonNode element : arguments.at(0)) {
            if (gone.add(JsonValues.canonical(element))) {
                left.add(element);
            }
        }
        return left;
    }

    private static JsonNode haveEqualElements(Arguments arguments) {
        return arguments.at(0).isArray() && arguments.at(1).isArray()
                ? JsonValues.of(elementsOf(arguments.at(0)).equals(elementsOf(arguments.at(1))))
                : JsonValues.UNDEFINED;
    }

    private static Set<JsonNode> elementsOf(JsonNode array) {
        Set<JsonNode> elements = new HashSet<>();
        array.forEach(element -> elements.add(JsonValues.canonical(element)));
        return elements;
    }

    /** In the order of the second array. */
    private static JsonNode intersect(Arguments arguments) {
        if (!arguments.at(0).isArray() || !arguments.at(1).isArray()) {
            return JsonValues.UNDEFINED;
        }
        Set<JsonNode> others = elementsOf(arguments.at(0));
        ArrayNode both = JsonValues.array();
        for (JsonNode element : arguments.at(1)) {
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
