package io.sluice.emulator.query.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a value is to the query language: a JSON value or {@link #UNDEFINED}, which is neither null nor false. Holds the
 * service's rules of equality, comparison and order.
 */
public final class JsonValues {
    /** No value at all: a missing property, or an operation on operands of the wrong type. */
    public static final JsonNode UNDEFINED = MissingNode.getInstance();

    /** JSON null, which is a value. */
    public static final JsonNode NULL = NullNode.getInstance();

    /** The order of ORDER BY: undefined, null, false, true, numbers, strings, arrays, objects. */
    public static final Comparator<JsonNode> ORDER = JsonValues::compareInOrder;

    /** Up to here a double holds every whole number. */
    private static final double EXACT_WHOLE = 9007199254740992.0;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private JsonValues() {}

    /** True for no value at all. */
    public static boolean isUndefined(JsonNode value) {
        return value.isMissingNode();
    }

    /** True for the boolean true only: with any other value of the filter, the row is left out. */
    public static boolean isTrue(JsonNode value) {
        return value.isBoolean() && value.booleanValue();
    }

    /** The boolean as a value. */
    public static JsonNode of(boolean value) {
        return BooleanNode.valueOf(value);
    }

    /** The string as a value. */
    public static JsonNode of(String value) {
        return TextNode.valueOf(value);
    }

    /** The 64-bit integer as a value. */
    public static JsonNode of(long value) {
        return LongNode.valueOf(value);
    }

    /**
     * The number, whole where it is whole; not a number and the infinities are undefined, for JSON has none of them.
     */
    public static JsonNode of(double value) {
        if (value == Math.rint(value) && Math.abs(value) <= EXACT_WHOLE) {
            return LongNode.valueOf((long) value);
        }
        return Double.isFinite(value) ? DoubleNode.valueOf(value) : UNDEFINED;
    }

    /** A new empty array. */
    public static ArrayNode array() {
        return NODES.arrayNode();
    }

    /** A new empty object. */
    public static ObjectNode object() {
        return NODES.objectNode();
    }

    /** True when the number is kept as a 64-bit integer. */
    public static boolean isWhole(JsonNode number) {
        if (number.isIntegralNumber()) {
            return number.canConvertToLong();
        }
        double value = number.doubleValue();
        return value == Math.rint(value) && Math.abs(value) <= EXACT_WHOLE;
    }

    /** True for null, booleans, numbers and strings. */
    public static boolean isPrimitive(JsonNode value) {
        return value.isNull() || value.isBoolean() || value.isNumber() || value.isTextual();
    }

    /**
     * Equality of two defined values: false across types, numbers by value, objects whatever the order of properties.
     */
    public static boolean areEqual(JsonNode left, JsonNode right) {
        if (left.isNumber()) {
            return right.isNumber() && compareNumbers(left, right) == 0;
        }
        if (left.getNodeType() != right.getNodeType()) {
            return false;
        }
        if (left.isObject()) {
            return haveEqualProperties(left, right);
        }
        return left.isArray() ? haveEqualElements(left, right) : left.equals(right);
    }

    private static boolean haveEqualProperties(JsonNode left, JsonNode right) {
        if (left.size() != right.size()) {
            return false;
        }
        for (Map.Entry<String, JsonNode> property : left.properties()) {
            JsonNode other = right.get(property.getKey());
            if (other == null || !areEqual(property.getValue(), other)) {
                return false;
            }
        }
        return true;
    }

    private static boolean haveEqualElements(JsonNode left, JsonNode right) {
        if (left.size() != right.size()) {
            return false;
        }
        Iterator<JsonNode> others = right.iterator();
        for (JsonNode element : left) {
            if (!areEqual(element, others.next())) {
                return false;
            }
        }
        return true;
    }

    /** How two values of one primitive type compare; null where the service answers undefined. */
    public static @Nullable Integer compare(JsonNode left, JsonNode right) {
        boolean comparable = isPrimitive(left) && left.getNodeType() == right.getNodeType();
        return comparable ? compareInOrder(left, right) : null;
    }

    private static int compareInOrder(JsonNode left, JsonNode right) {
        int byType = Integer.compare(typeRank(left), typeRank(right));
        if (byType != 0) {
            return byType;
        }
        return switch (left.getNodeType()) {
            case BOOLEAN -> Boolean.compare(left.booleanValue(), right.booleanValue());
            case NUMBER -> compareNumbers(left, right);
            case STRING -> left.textValue().compareTo(right.textValue());
            case ARRAY, OBJECT ->
                areEqual(left, right)
                        ? 0
                        : canonical(left).toString().compareTo(canonical(right).toString());
            case MISSING, NULL, BINARY, POJO -> 0;
        };
    }

    private static int typeRank(JsonNode value) {
        return switch (value.getNodeType()) {
            case MISSING -> 0;
            case NULL -> 1;
            case BOOLEAN -> 2;
            case NUMBER -> 3;
            case STRING, BINARY -> 4;
            case ARRAY -> 5;
            case OBJECT, POJO -> 6;
        };
    }

    private static int compareNumbers(JsonNode left, JsonNode right) {
        if (isWhole(left) && isWhole(right)) {
            return Long.compare(left.longValue(), right.longValue());
        }
        // Zero and minus zero are one number.
        return Double.compare(left.doubleValue() + 0.0, right.doubleValue() + 0.0);
    }

    /**
     * The same value with every number written as the service writes it, so that equal ones look equal: 2.0 as 2.
     * Clients compare results and groups of several partitions by how their numbers look.
     */
    public static JsonNode normalized(JsonNode value) {
        if (value.isNumber()) {
            return !value.isIntegralNumber() && isWhole(value) ? LongNode.valueOf(value.longValue()) : value;
        }
        if (value.isArray()) {
            ArrayNode copy = array();
            value.forEach(element -> copy.add(normalized(element)));
            return copy;
        }
        if (value.isObject()) {
            ObjectNode copy = object();
            value.properties().forEach(property -> copy.set(property.getKey(), normalized(property.getValue())));
            return copy;
        }
        return value;
    }

    /**
     * An equal value whose {@code equals} and {@code hashCode} follow {@link #areEqual}: a key of DISTINCT and GROUP
     * BY.
     */
    public static JsonNode canonical(JsonNode value) {
        if (value.isNumber()) {
            return isWhole(value) ? LongNode.valueOf(value.longValue()) : DoubleNode.valueOf(value.doubleValue());
        }
        if (value.isArray()) {
            ArrayNode copy = array();
            value.forEach(element -> copy.add(canonical(element)));
            return copy;
        }
        if (value.isObject()) {
            ObjectNode copy = object();
            value.properties().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(property -> copy.set(property.getKey(), canonical(property.getValue())));
            return copy;
        }
        return value;
    }
}
