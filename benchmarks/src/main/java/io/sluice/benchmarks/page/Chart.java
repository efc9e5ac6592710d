package io.sluice.benchmarks.page;

import java.util.List;
import java.util.Map;

/** A picture of figures. */
public sealed interface Chart extends View permits Chart.Lines, Chart.Bars {
    /** The file's name, without {@code .svg}. */
    String file();

    /** What it shows. */
    String title();

    /**
     * One of its sides.
     *
     * @param label with the unit
     * @param isLogarithmic whether equal steps are equal factors
     */
    record Axis(String label, boolean isLogarithmic) {
        /** Equal steps are equal differences. */
        public static Axis linear(String label) {
            return new Axis(label, false);
        }

        /** Equal steps are equal factors. */
        public static Axis logarithmic(String label) {
            return new Axis(label, true);
        }
    }

    /**
     * Figures over a parameter: a line for each name, and for each combination of the other parameters. Medians, with whiskers from least to greatest.
     *
     * @param parameter the one on the horizontal axis: numbers or, where one isn't, categories in their order
     * @param figures by name
     * @param where parameters that are the same in the whole chart
     */
    record Lines(
            String file,
            String title,
            String parameter,
            Axis horizontal,
            Axis vertical,
            List<String> figures,
            Map<String, String> where)
            implements Chart {
        /** The same of figures with this parameter only. */
        public Lines where(String name, String value) {
            return new Lines(file, title, parameter, horizontal, vertical, figures, Map.of(name, value));
        }
    }

    /**
     * A bar for each figure of some names, as long as its median, with whiskers from least to greatest.
     *
     * @param figures by name
     * @param axis of the values
     */
    record Bars(String file, String title, Axis axis, List<String> figures) implements Chart {}
}
