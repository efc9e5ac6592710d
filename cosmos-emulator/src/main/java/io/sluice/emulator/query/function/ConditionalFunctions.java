package io.sluice.emulator.query.function;

import io.sluice.emulator.query.value.JsonValues;
import java.util.List;

/** Functions that choose between values. */
final class ConditionalFunctions {
    static final List<BuiltIn> ALL = List.of(
            BuiltIn.of("IIF", 3, arguments -> JsonValues.isTrue(arguments.at(0)) ? arguments.at(1) : arguments.at(2)));

    private ConditionalFunctions() {}
}
