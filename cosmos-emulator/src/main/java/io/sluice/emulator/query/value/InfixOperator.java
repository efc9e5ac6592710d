package io.sluice.emulator.query.value;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.BinaryOperator;
import java.util.function.IntPredicate;

/** An operator between two values. Operands of the wrong type give undefined, never an error. */
public enum InfixOperator {
    ADD("+", Arithmetic::add),
    SUBTRACT("-", Arithmetic::subtract),
    MULTIPLY("*", Arithmetic::multiply),
    DIVIDE("/", Arithmetic::divide),
    MODULO("%", Arithmetic::modulo),
    SHIFT_LEFT("<<", (left, right) -> Arithmetic.bitwise(left, right, (a, b) -> a << b)),
    SHIFT_RIGHT(">>", (left, right) -> Arithmetic.bitwise(left, right, (a, b) -> a >> b)),
    SHIFT_RIGHT_ZERO(">>>", Arithmetic::shiftRightZero),
    BIT_AND("&", (left, right) -> Arithmetic.bitwise(left, right, (a, b) -> a & b)),
    BIT_XOR("^", (left, right) -> Arithmetic.bitwise(left, right, (a, b) -> a ^ b)),
    BIT_OR("|", (left, right) -> Arithmetic.bitwise(left, right, (a, b) -> a | b)),
    CONCATENATE("||", InfixOperator::concatenate),
    EQUAL("=", (left, right) -> equality(left, right, true)),
    NOT_EQUAL("!=", (left, right) -> equality(left, right, false)),
    LESS("<", (left, right) -> comparison(left, right, order -> order < 0)),
    LESS_OR_EQUAL("<=", (left, right) -> comparison(left, right, order -> order <= 0)),
    GREATER(">", (left, right) -> comparison(left, right, order -> order > 0)),
    GREATER_OR_EQUAL(">=", (left, right) -> comparison(left, right, order -> order >= 0));

    private final String symbol;

    @SuppressWarnings("ImmutableEnumChecker") // A function without state.
    private final BinaryOperator<JsonNode> operation;

    InfixOperator(String symbol, BinaryOperator<JsonNode> operation) {
        this.symbol = symbol;
        this.operation = operation;
    }

    /** How it is written. */
    public String symbol() {
        return symbol;
    }

    /** The result of {@code left operator right}. */
    public JsonNode apply(JsonNode left, JsonNode right) {
        return operation.apply(left, right);
    }

    /** The operator that is written so. */
    public static InfixOperator of(String symbol) {
        for (InfixOperator operator : values()) {
            if (operator.symbol.equals(symbol)) {
                return operator;
            }
        }
        if (symbol.equals("<>")) {
            return NOT_EQUAL;
        }
        throw new IllegalArgumentException("no such operator: " + symbol);
    }

    /** Values of two types are unequal; with undefined nothing can be said. */
    private static JsonNode equality(JsonNode left, JsonNode right, boolean expected) {
        if (JsonValues.isUndefined(left) || JsonValues.isUndefined(right)) {
            return JsonValues.UNDEFINED;
        }
        return JsonValues.of(JsonValues.areEqual(left, right) == expected);
    }

    private static JsonNode comparison(JsonNode left, JsonNode right, IntPredicate holds) {
        Integer order = JsonValues.compare(left, right);
        return order == null ? JsonValues.UNDEFINED : JsonValues.of(holds.test(order));
    }

    private static JsonNode concatenate(JsonNode left, JsonNode right) {
        if (!left.isTextual() || !right.isTextual()) {
            return JsonValues.UNDEFINED;
        }
        return JsonValues.of(left.textValue() + right.textValue());
    }
}
