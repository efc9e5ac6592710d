package io.sluice.benchmarks.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
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
    private static final MathContext DIGITS = new MathContext(4);

    /** Measures so many times. */
    public static Spread of(int runs, DoubleSupplier measurement) {
        return of(DoubleStream.generate(measurement).limit(runs).boxed().toList(), Double::doubleValue);
    }

    /** Of one figure of each run, to four digits where it is not whole. */
    public static <T> Spread of(List<T> runs, ToDoubleFunction<T> figure) {
        var sorted = runs.stream().mapToDouble(figure).sorted().toArray();
        return new Spread(rounded(sorted[0]), rounded(sorted[sorted.length / 2]), rounded(sorted[sorted.length - 1]));
    }

    /** Whether all runs gave the same. */
    @JsonIgnore
    public boolean isExact() {
        return Double.compare(least, greatest) == 0;
    }

    private static double rounded(double value) {
        return value == Math.rint(value)
                ? value
                : new BigDecimal(value).round(DIGITS).doubleValue();
    }
}
