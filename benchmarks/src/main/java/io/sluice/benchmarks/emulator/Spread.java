package io.sluice.benchmarks.emulator;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;

/**
 * What several runs of one measurement gave.
 *
 * @param least of them
 * @param median of them
 * @param greatest of them
 */
record Spread(double least, double median, double greatest) {
    static Spread of(int runs, DoubleSupplier measurement) {
        var sorted = DoubleStream.generate(measurement).limit(runs).toArray();
        Arrays.sort(sorted);
        return new Spread(sorted[0], sorted[runs / 2], sorted[runs - 1]);
    }

    /** The median and, in brackets, the least and the greatest. */
    String text(String format) {
        return String.format(Locale.ROOT, format + " (" + format + " – " + format + ")", median, least, greatest);
    }
}
