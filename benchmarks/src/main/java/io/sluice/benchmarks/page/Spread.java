package io.sluice.benchmarks.page;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * What several runs of one measurement gave.
 *
 * @param least of them
 * @param median of them
 * @param greatest of them
 */
public record Spread(double least, double median, double greatest) {
    /** Measures so many times. */
    public static Spread of(int runs, DoubleSupplier measurement) {
        return of(DoubleStream.generate(measurement).limit(runs).boxed().toList(), Double::doubleValue);
    }

    /** Of one figure of each run. */
    public static <T> Spread of(List<T> runs, ToDoubleFunction<T> figure) {
        var sorted = runs.stream().mapToDouble(figure).sorted().toArray();
        return new Spread(sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1]);
    }

    /** The median and, in brackets, the least and the greatest. */
    public String text(String format) {
        return String.format(Locale.ROOT, format + " (" + format + " – " + format + ")", median, least, greatest);
    }
}
