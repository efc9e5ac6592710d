package io.sluice.emulator.query.function;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.value.Arithmetic;
import io.sluice.emulator.query.value.JsonValues;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/** Functions on numbers; an argument that is no number, and a result that is none, is undefined. */
final class MathFunctions {
    private static final int MOST_DIGITS = 15;
    private static final double DECIMAL = 10;

    static final List<BuiltIn> ALL = List.of(
            BuiltIn.of("ABS", 1, MathFunctions::abs),
            of("ACOS", Math::acos),
            of("ASIN", Math::asin),
            of("ATAN", Math::atan),
            of("ATN2", Math::atan2),
            keepingWhole("CEILING", Math::ceil),
            of("COS", Math::cos),
            of("COT", value -> 1 / Math.tan(value)),
            of("DEGREES", value -> value * 180 / Math.PI),
            of("EXP", Math::exp),
            keepingWhole("FLOOR", Math::floor),
            new BuiltIn("LOG", 1, 2, MathFunctions::log),
            of("LOG10", Math::log10),
            new BuiltIn("NUMBERBIN", 1, 2, MathFunctions::numberBin),
            BuiltIn.of("PI", 0, arguments -> JsonValues.of(Math.PI)),
            of("POWER", Math::pow),
            of("RADIANS", value -> value * Math.PI / 180),
            BuiltIn.of(
                    "RAND",
                    0,
                    arguments -> JsonValues.of(ThreadLocalRandom.current().nextDouble())),
            new BuiltIn("ROUND", 1, 2, MathFunctions::round),
            of("SIGN", Math::signum),
            of("SIN", Math::sin),
            of("SQRT", Math::sqrt),
            of("SQUARE", value -> value * value),
            of("TAN", Math::tan),
            keepingWhole("TRUNC", value -> value < 0 ? Math.ceil(value) : Math.floor(value)));

    private MathFunctions() {}

    private static BuiltIn of(String name, DoubleUnaryOperator operation) {
        return BuiltIn.of(
                name,
                1,
                arguments -> arguments.isNumber(0)
                        ? JsonValues.of(operation.applyAsDouble(arguments.number(0)))
                        : JsonValues.UNDEFINED);
    }

    private static BuiltIn of(String name, DoubleBinaryOperator operation) {
        return BuiltIn.of(
                name,
                2,
                arguments -> arguments.isNumber(0) && arguments.isNumber(1)
                        ? JsonValues.of(operation.applyAsDouble(arguments.number(0), arguments.number(1)))
                        : JsonValues.UNDEFINED);
    }

    /** A rounding, which leaves a 64-bit integer as it is. */
    private static BuiltIn keepingWhole(String name, DoubleUnaryOperator rounding) {
        return BuiltIn.of(name, 1, arguments -> {
            if (!arguments.isNumber(0)) {
                return JsonValues.UNDEFINED;
            }
            return arguments.isWhole(0)
                    ? JsonValues.of(arguments.whole(0))
                    : JsonValues.of(rounding.applyAsDouble(arguments.number(0)));
        });
    }

    private static JsonNode abs(Arguments arguments) {
        if (!arguments.isNumber(0)) {
            return JsonValues.UNDEFINED;
        }
        return arguments.number(0) < 0 ? Arithmetic.negate(arguments.at(0)) : arguments.at(0);
    }

    private static JsonNode log(Arguments arguments) {
        if (!arguments.isNumber(0) || (arguments.isGiven(1) && !arguments.isNumber(1))) {
            return JsonValues.UNDEFINED;
        }
        if (arguments.isGiven(1) && arguments.number(1) == DECIMAL) {
            return JsonValues.of(Math.log10(arguments.number(0)));
        }
        double natural = Math.log(arguments.number(0));
        return JsonValues.of(arguments.isGiven(1) ? natural / Math.log(arguments.number(1)) : natural);
    }

    private static JsonNode numberBin(Arguments arguments) {
        if (!arguments.isNumber(0) || (arguments.isGiven(1) && !arguments.isNumber(1))) {
            return JsonValues.UNDEFINED;
        }
        double size = arguments.isGiven(1) ? arguments.number(1) : 1;
        return size == 0 ? JsonValues.UNDEFINED : JsonValues.of(Math.floor(arguments.number(0) / size) * size);
    }

    /** Halves go away from zero. */
    private static JsonNode round(Arguments arguments) {
        if (!arguments.isNumber(0) || (arguments.isGiven(1) && !arguments.isWhole(1))) {
            return JsonValues.UNDEFINED;
        }
        long digits = arguments.isGiven(1) ? arguments.whole(1) : 0;
        if (arguments.isWhole(0) && digits >= 0) {
            return JsonValues.of(arguments.whole(0));
        }
        int kept = (int) Math.max(-MOST_DIGITS, Math.min(MOST_DIGITS, digits));
        BigDecimal rounded = BigDecimal.valueOf(arguments.number(0)).setScale(kept, RoundingMode.HALF_UP);
        return JsonValues.of(rounded.doubleValue());
    }
}
