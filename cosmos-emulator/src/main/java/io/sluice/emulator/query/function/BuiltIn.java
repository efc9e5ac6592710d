package io.sluice.emulator.query.function;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A built-in function: its name, how many arguments it takes, and what it does with them. */
public record BuiltIn(String name, int fewest, int most, Body body) {
    /** The result of a call with these values. */
    public JsonNode call(List<JsonNode> values, Instant now) {
        return body.apply(new Arguments(values, now));
    }

    private static final Map<String, BuiltIn> ALL = byName(Stream.of(
                    TypeFunctions.ALL,
                    StringFunctions.ALL,
                    StringConversions.ALL,
                    MathFunctions.ALL,
                    IntegerFunctions.ALL,
                    ArrayFunctions.ALL,
                    ConditionalFunctions.ALL,
                    ItemFunctions.ALL,
                    DateTimeFunctions.ALL)
            .flatMap(Collection::stream)
            .toList());

    /** What a function does; it never throws on a value of the wrong type, it answers undefined. */
    @FunctionalInterface
    interface Body {
        JsonNode apply(Arguments arguments);
    }

    static BuiltIn of(String name, int arguments, Body body) {
        return new BuiltIn(name, arguments, arguments, body);
    }

    /** The function of this name in any case. */
    public static Optional<BuiltIn> named(String name) {
        return Optional.ofNullable(ALL.get(name.toUpperCase(Locale.ROOT)));
    }

    /** All functions, in no order. */
    public static Collection<BuiltIn> all() {
        return ALL.values();
    }

    /** True when it can be called with this many arguments. */
    public boolean takes(int arguments) {
        return arguments >= fewest && arguments <= most;
    }

    /** The service's words about a wrong number of arguments. */
    public String arityMessage() {
        String range = fewest == most ? String.valueOf(fewest) : fewest + " to " + most;
        String wanted = most == Integer.MAX_VALUE ? "at least " + fewest : range;
        return "The " + name + " function requires " + wanted + " argument(s).";
    }

    private static Map<String, BuiltIn> byName(List<BuiltIn> functions) {
        Map<String, BuiltIn> byName = new HashMap<>();
        for (BuiltIn function : functions) {
            if (byName.put(function.name().toUpperCase(Locale.ROOT), function) != null) {
                throw new IllegalStateException("two functions are called " + function.name());
            }
        }
        return Map.copyOf(byName);
    }
}
