package io.sluice.benchmarks.result;

import java.util.List;

/**
 * All that one benchmark found out.
 *
 * @param name of the benchmark
 * @param conditions it ran in
 * @param figures in the order they are shown
 */
public record Report(String name, Conditions conditions, List<Figure> figures) {
    /** Immutable. */
    public Report {
        figures = List.copyOf(figures);
    }
}
