package io.sluice.benchmarks.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One thing that was measured.
 *
 * @param name what it is, such as {@code turns}
 * @param unit in which, such as {@code per second}; empty for a mere count
 * @param parameters at which it was measured, such as {@code dispatchers} 8, in the order they are shown
 * @param budget of the design, if there is one
 * @param measured what the runs gave
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Figure(
        String name,
        String unit,
        Map<String, String> parameters,
        @Nullable Budget budget,
        Spread measured) {
    /** Keeps the order of the parameters. */
    public Figure {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    /** A figure without parameters or a budget. */
    public static Figure of(String name, String unit, Spread measured) {
        return new Figure(name, unit, Map.of(), null, measured);
    }

    /** An exact one, such as a count. */
    public static Figure exactly(String name, String unit, double value) {
        return of(name, unit, new Spread(value, value, value));
    }

    /** The figure at one more parameter. */
    public Figure at(String parameter, Object value) {
        var more = new LinkedHashMap<>(parameters);
        more.put(parameter, String.valueOf(value));
        return new Figure(name, unit, more, budget, measured);
    }

    /** The figure with its budget. */
    public Figure within(Budget allowed) {
        return new Figure(name, unit, parameters, allowed, measured);
    }

    /** Whether it was measured at all these parameters, and maybe at others too. */
    public boolean isAt(Map<String, String> wanted) {
        return parameters.entrySet().containsAll(wanted.entrySet());
    }

    /** Name and unit. */
    public String heading() {
        return unit.isEmpty() ? name : name + ", " + unit;
    }
}
