package io.sluice.benchmarks.page;

import io.sluice.benchmarks.result.Figure;
import java.util.List;

/** Charts as SVG. */
final class Drawing {
    private Drawing() {}

    static String of(Chart chart, List<Figure> figures) {
        if (chart instanceof Chart.Lines lines) {
            return new LineDrawing(lines, figures).svg();
        } else if (chart instanceof Chart.Bars bars) {
            return BarDrawing.svg(bars, View.named(figures, bars.figures()));
        }
        throw new IllegalArgumentException("no such chart: " + chart);
    }
}
