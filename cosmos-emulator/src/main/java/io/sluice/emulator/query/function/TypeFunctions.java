package io.sluice.emulator.query.function;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.value.JsonValues;
import java.util.List;
import java.util.function.Predicate;

/** Functions that ask for the type of a value; they answer true or false for undefined too. */
final class TypeFunctions {
    static final List<BuiltIn> ALL = List.of(
            check("IS_ARRAY", JsonNode::isArray),
            check("IS_BOOL", JsonNode::isBoolean),
            // What the Java SDK writes into the filter by which it resumes an ORDER BY.
            check("IS_BOOLEAN", JsonNode::isBoolean),
            check("IS_DATETIME", value -> value.isTextual() && DateTimes.parse(value.textValue()) != null),
            check("IS_DEFINED", value -> !JsonValues.isUndefined(value)),
            check("IS_FINITE_NUMBER", JsonNode::isNumber),
            check("IS_INTEGER", value -> value.isNumber() && JsonValues.isWhole(value)),
            check("IS_NULL", JsonNode::isNull),
            check("IS_NUMBER", JsonNode::isNumber),
            check("IS_OBJECT", JsonNode::isObject),
            check("IS_PRIMITIVE", JsonValues::isPrimitive),
            check("IS_STRING", JsonNode::isTextual));

    private TypeFunctions() {}

    private static BuiltIn check(String name, Predicate<JsonNode> test) {
        return BuiltIn.of(name, 1, arguments -> JsonValues.of(test.test(arguments.at(0))));
    }
}
