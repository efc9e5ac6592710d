package io.sluice.benchmarks.page;

import io.sluice.benchmarks.result.Figure;
import java.util.List;
import java.util.Map;

/** One way to show figures. */
public sealed interface View permits View.Text, View.Listing, View.Table {
    /** Words between the figures, in Markdown. */
    record Text(String markdown) implements View {}

    /** A row for each figure of these names: what was asked for, and what was measured. */
    record Listing(List<String> figures) implements View {
        /** Figures of these names. */
        public static Listing of(String... figures) {
            return new Listing(List.of(figures));
        }
    }

    /**
     * A row for each combination of some parameters, a column for each figure; a figure with budgets has a column for
     * these too.
     *
     * @param parameters whose values begin the rows
     * @param figures of the columns, by name
     * @param where parameters that are the same in the whole table
     */
    record Table(List<String> parameters, List<String> figures, Map<String, String> where) implements View {
        /** Of all figures, whatever their other parameters. */
        public static Table of(List<String> parameters, String... figures) {
            return new Table(parameters, List.of(figures), Map.of());
        }

        /** The same of figures with this parameter only. */
        public Table where(String parameter, String value) {
            return new Table(parameters, figures, Map.of(parameter, value));
        }
    }

    /** The figures of some names, in the order of their report. */
    static List<Figure> named(List<Figure> figures, List<String> names) {
        return figures.stream().filter(figure -> names.contains(figure.name())).toList();
    }
}
