package io.sluice.emulator.query.value;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * Arithmetic as the service does it: two 64-bit integers stay one while the result fits, everything else is IEEE
 * double; bitwise operators work on 32 bits, as JavaScript's do.
 */
public final class Arithmetic {
    private static final double TWO_TO_32 = 4294967296.0;
    private static final double TWO_TO_63 = 0x1p63;

    private Arithmetic() {}

    /** The sum; whole while it fits into 64 bits. */
    public static JsonNode add(JsonNode left, JsonNode right) {
        return compute(left, right, Math::addExact, Double::sum);
    }

    /** The difference; whole while it fits into 64 bits. */
    public static JsonNode subtract(JsonNode left, JsonNode right) {
        return compute(left, right, Math::subtractExact, (a, b) -> a - b);
    }

    /** The product; whole while it fits into 64 bits. */
    public static JsonNode multiply(JsonNode left, JsonNode right) {
        return compute(left, right, Math::multiplyExact, (a, b) -> a * b);
    }

    /**
     * The quotient of two doubles.
     *
     * @throws EvaluationException when the divisor is zero
     */
    public static JsonNode divide(JsonNode left, JsonNode right) {
        if (!left.isNumber() || !right.isNumber()) {
            return JsonValues.UNDEFINED;
        }
        return JsonValues.of(left.doubleValue() / nonZero(right).doubleValue());
    }

    /**
     * The remainder, with the sign of the dividend.
     *
     * @throws EvaluationException when the divisor is zero
     */
    public static JsonNode modulo(JsonNode left, JsonNode right) {
        if (!left.isNumber() || !right.isNumber()) {
            return JsonValues.UNDEFINED;
        }
        nonZero(right);
        return compute(left, right, (a, b) -> a % b, (a, b) -> a % b);
    }

    /** The number with the other sign. The least 64-bit integer is written as what is one too great, and a minus. */
    public static JsonNode negate(JsonNode number) {
        if (number.isNumber() && !number.isIntegralNumber() && number.doubleValue() == TWO_TO_63) {
            return JsonValues.of(Long.MIN_VALUE);
        }
        return number.isNumber() ? subtract(JsonValues.of(0L), number) : JsonValues.UNDEFINED;
    }

    /** An operation on the lowest 32 bits of both. */
    public static JsonNode bitwise(JsonNode left, JsonNode right, IntBinaryOperator operation) {
        if (!left.isNumber() || !right.isNumber()) {
            return JsonValues.UNDEFINED;
        }
        return JsonValues.of((long) operation.applyAsInt(toInt32(left), toInt32(right)));
    }

    /** {@code left >>> right} on 32 bits, never negative. */
    public static JsonNode shiftRightZero(JsonNode left, JsonNode right) {
        if (!left.isNumber() || !right.isNumber()) {
            return JsonValues.UNDEFINED;
        }
        return JsonValues.of(Integer.toUnsignedLong(toInt32(left) >>> toInt32(right)));
    }

    /** All of the lowest 32 bits turned round. */
    public static JsonNode bitwiseNot(JsonNode number) {
        return number.isNumber() ? JsonValues.of((long) ~toInt32(number)) : JsonValues.UNDEFINED;
    }

    private static JsonNode compute(
            JsonNode left, JsonNode right, LongBinaryOperator exact, DoubleBinaryOperator inexact) {
        if (!left.isNumber() || !right.isNumber()) {
            return JsonValues.UNDEFINED;
        }
        if (JsonValues.isWhole(left) && JsonValues.isWhole(right)) {
            try {
                return JsonValues.of(exact.applyAsLong(left.longValue(), right.longValue()));
            } catch (ArithmeticException overflow) {
                return JsonValues.of(inexact.applyAsDouble(left.doubleValue(), right.doubleValue()));
            }
        }
        return JsonValues.of(inexact.applyAsDouble(left.doubleValue(), right.doubleValue()));
    }

    private static JsonNode nonZero(JsonNode divisor) {
        if (divisor.doubleValue() == 0) {
            throw new EvaluationException(EvaluationException.ARITHMETIC, "Divide by zero error encountered.");
        }
        return divisor;
    }

    private static int toInt32(JsonNode number) {
        if (number.isIntegralNumber() && number.canConvertToLong()) {
            return (int) number.longValue();
        }
        double whole = number.doubleValue() < 0 ? Math.ceil(number.doubleValue()) : Math.floor(number.doubleValue());
        return (int) (long) (whole % TWO_TO_32);
    }
}
