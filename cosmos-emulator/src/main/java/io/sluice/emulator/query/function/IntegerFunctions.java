package io.sluice.emulator.query.function;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.value.JsonValues;
import java.util.List;
import java.util.function.LongBinaryOperator;

/** Functions on 64-bit integers; sums and products wrap around, a division by zero is undefined. */
final class IntegerFunctions {
    private static final int BITS = 64;

    static final List<BuiltIn> ALL = List.of(
            of("INTADD", (left, right) -> left + right),
            of("INTBITAND", (left, right) -> left & right),
            of("INTBITLEFTSHIFT", (left, right) -> right < BITS ? left << right : 0),
            BuiltIn.of("INTBITNOT", 1, IntegerFunctions::not),
            of("INTBITOR", (left, right) -> left | right),
            of("INTBITRIGHTSHIFT", (left, right) -> left >> Math.min(right, BITS - 1)),
            of("INTBITXOR", (left, right) -> left ^ right),
            of("INTDIV", (left, right) -> left / right),
            of("INTMOD", (left, right) -> left % right),
            of("INTMUL", (left, right) -> left * right),
            of("INTSUB", (left, right) -> left - right));

    private IntegerFunctions() {}

    private static BuiltIn of(String name, LongBinaryOperator operation) {
        boolean isShift = name.endsWith("SHIFT");
        boolean divides = name.equals("INTDIV") || name.equals("INTMOD");
        return BuiltIn.of(name, 2, arguments -> {
            boolean isTyped = arguments.isWhole(0) && arguments.isWhole(1);
            if (!isTyped || (isShift && arguments.whole(1) < 0) || (divides && arguments.whole(1) == 0)) {
                return JsonValues.UNDEFINED;
            }
            return JsonValues.of(operation.applyAsLong(arguments.whole(0), arguments.whole(1)));
        });
    }

    private static JsonNode not(Arguments arguments) {
        return arguments.isWhole(0) ? JsonValues.of(~arguments.whole(0)) : JsonValues.UNDEFINED;
    }
}
