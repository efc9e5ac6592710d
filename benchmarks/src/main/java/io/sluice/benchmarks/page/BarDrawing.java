package io.sluice.benchmarks.page;

import io.sluice.benchmarks.result.Figure;
import java.util.List;
import java.util.stream.DoubleStream;

/** A bar for each figure. */
final class BarDrawing {
    private static final int WIDTH = 780;
    private static final int TOP = 44;
    private static final int BOTTOM = 52;
    private static final int ROW = 24;
    private static final int BAR = 14;
    private static final int VALUES = 90;

    private BarDrawing() {}

    static String svg(Chart.Bars chart, List<Figure> figures) {
        double left = 24
                + figures.stream()
                        .map(figure -> label(chart, figure))
                        .mapToDouble(Svg::width)
                        .max()
                        .orElse(0);
        double width = WIDTH - left - VALUES;
        double bottom = TOP + ROW * figures.size();
        var svg = new Svg(WIDTH, (int) bottom + BOTTOM, chart.title()).text("title", 16, 26, chart.title());
        var scale = Scale.of(
                chart.axis(),
                figures.stream()
                        .flatMapToDouble(figure -> DoubleStream.of(
                                figure.measured().least(), figure.measured().greatest())));
        for (var tick : scale.ticks()) {
            double x = left + width * tick.place();
            svg.line("grid", x, TOP, x, bottom).text("soft middle", x, bottom + 18, tick.label());
        }
        svg.text("middle", left + width / 2, bottom + 38, chart.axis().label());
        double y = TOP + ROW / 2.0;
        for (var figure : figures) {
            var measured = figure.measured();
            int series = chart.figures().indexOf(figure.name());
            double end = left + width * scale.place(measured.median());
            svg.text("end", left - 8, y + 4, label(chart, figure));
            if (chart.axis().isLogarithmic()) { // which has no nought for a bar to begin at
                svg.line("whisker " + Svg.colour(series), left, y, end, y).mark(series, end, y);
            } else {
                svg.rectangle("bar " + Svg.colour(series), left, y - BAR / 2.0, end - left, BAR);
            }
            double greatest = left + width * scale.place(measured.greatest());
            if (!measured.isExact()) {
                double least = left + width * scale.place(measured.least());
                svg.path(
                        "across",
                        Svg.format(
                                "M%.1f %.1fv8M%.1f %.1fH%.1fM%.1f %.1fv8",
                                least, y - 4, least, y, greatest, greatest, y - 4));
            }
            svg.text("soft", greatest + 8, y + 4, Numbers.text(measured.median()));
            y += ROW;
        }
        return svg.line("axis", left, TOP, left, bottom).toString();
    }

    private static String label(Chart.Bars chart, Figure figure) {
        return chart.figures().size() == 1 && !figure.parameters().isEmpty()
                ? Tables.parameters(figure.parameters())
                : figure.name() + (figure.parameters().isEmpty() ? "" : ", " + Tables.parameters(figure.parameters()));
    }
}
