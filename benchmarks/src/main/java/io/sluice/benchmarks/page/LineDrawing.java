package io.sluice.benchmarks.page;

import io.sluice.benchmarks.result.Figure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/** Lines over a parameter. */
final class LineDrawing {
    private static final int WIDTH = 780;
    private static final int HEIGHT = 430;
    private static final int LEFT = 82;
    private static final int RIGHT = 44;
    private static final int BOTTOM = 58;
    private static final int LEGEND = 46;
    private static final int LEGEND_ROW = 20;
    private static final int MOST_TICKS = 10;
    private static final int CAP = 4;

    private final Chart.Lines chart;
    private final List<String> places;
    private final boolean isNumeric;
    private final Map<String, List<Figure>> series = new LinkedHashMap<>();
    private final Scale horizontal;
    private final Scale vertical;

    LineDrawing(Chart.Lines chart, List<Figure> all) {
        this.chart = chart;
        var figures = View.named(all, chart.figures()).stream()
                .filter(figure ->
                        figure.isAt(chart.where()) && figure.parameters().containsKey(chart.parameter()))
                .toList();
        this.places = figures.stream().map(this::place).distinct().toList();
        this.isNumeric = places.stream().allMatch(place -> place.matches("[\\d.]+"));
        figures.forEach(figure -> series.computeIfAbsent(label(figure), unused -> new ArrayList<>())
                .add(figure));
        this.horizontal = horizontal();
        this.vertical = Scale.of(
                chart.vertical(),
                figures.stream()
                        .flatMapToDouble(figure -> DoubleStream.concat(
                                DoubleStream.of(
                                        figure.measured().least(),
                                        figure.measured().greatest()),
                                budget(figure))));
    }

    private static DoubleStream budget(Figure figure) {
        var budget = figure.budget();
        return budget == null ? DoubleStream.empty() : DoubleStream.of(budget.value());
    }

    private Scale horizontal() {
        var labels = places.stream().map(Numbers::parameter).toList();
        if (!isNumeric) {
            var indexes = DoubleStream.iterate(0, index -> index + 1)
                    .limit(places.size())
                    .boxed()
                    .toList();
            return new Scale.At(new Scale.Categories(places.size()), indexes, labels);
        }
        var values = places.stream().map(Double::valueOf).toList();
        var scale = Scale.of(chart.horizontal(), values.stream().mapToDouble(Double::doubleValue));
        return places.size() <= MOST_TICKS ? new Scale.At(scale, values, labels) : scale;
    }

    private String place(Figure figure) {
        return figure.parameters().getOrDefault(chart.parameter(), "");
    }

    /** What tells a line from the others: the figure's name where there are several, and its other parameters. */
    private String label(Figure figure) {
        var others = new LinkedHashMap<>(figure.parameters());
        others.remove(chart.parameter());
        others.keySet().removeAll(chart.where().keySet());
        var parameters = Tables.parameters(others);
        if (parameters.isEmpty()) {
            return figure.name();
        }
        return chart.figures().size() > 1 ? figure.name() + ", " + parameters : parameters;
    }

    String svg() {
        var svg = new Svg(WIDTH, HEIGHT, chart.title()).text("title", 16, 26, chart.title());
        double top = series.size() > 1 ? legend(svg) : LEGEND;
        var frame = new Frame(LEFT, top, WIDTH - RIGHT, HEIGHT - BOTTOM);
        axes(svg, frame);
        budgets(svg, frame);
        int index = 0;
        for (var line : series.values()) {
            draw(svg, frame, index++, line);
        }
        return svg.toString();
    }

    private record Frame(double left, double top, double right, double bottom) {
        double x(double place) {
            return left + (right - left) * place;
        }

        double y(double place) {
            return bottom - (bottom - top) * place;
        }
    }

    /** Names the lines, in as many rows as it takes; says where the picture may begin. */
    private double legend(Svg svg) {
        double x = LEFT;
        double y = LEGEND;
        int index = 0;
        for (var name : series.keySet()) {
            double width = Svg.width(name) + 34;
            if (x > LEFT && x + width > WIDTH - RIGHT) {
                x = LEFT;
                y += LEGEND_ROW;
            }
            svg.mark(index, x + 5, y - 4).text("", x + 15, y, name);
            x += width;
            index++;
        }
        return y + 18;
    }

    private void axes(Svg svg, Frame frame) {
        for (var tick : vertical.ticks()) {
            double y = frame.y(tick.place());
            svg.line("grid", frame.left(), y, frame.right(), y).text("soft end", frame.left() - 8, y + 4, tick.label());
        }
        for (var tick : horizontal.ticks()) {
            double x = frame.x(tick.place());
            svg.line("axis", x, frame.bottom(), x, frame.bottom() + 5)
                    .text("soft middle", x, frame.bottom() + 20, tick.label());
        }
        svg.line("axis", frame.left(), frame.bottom(), frame.right(), frame.bottom())
                .text(
                        "middle",
                        (frame.left() + frame.right()) / 2,
                        frame.bottom() + 42,
                        chart.horizontal().label())
                .upright(
                        "middle",
                        20,
                        (frame.top() + frame.bottom()) / 2,
                        chart.vertical().label());
    }

    private void budgets(Svg svg, Frame frame) {
        series.values().stream()
                .flatMap(List::stream)
                .flatMapToDouble(LineDrawing::budget)
                .distinct()
                .forEach(value -> {
                    double y = frame.y(vertical.place(value));
                    svg.line("budget", frame.left(), y, frame.right(), y)
                            .text("over end", frame.right(), y - 5, "asked for: " + Numbers.text(value));
                });
    }

    private void draw(Svg svg, Frame frame, int index, List<Figure> line) {
        var path = new StringBuilder();
        for (var figure : line) {
            var measured = figure.measured();
            double x = x(frame, figure);
            if (!measured.isExact()) {
                double low = frame.y(vertical.place(measured.least()));
                double high = frame.y(vertical.place(measured.greatest()));
                svg.path(
                        "whisker " + Svg.colour(index),
                        Svg.format(
                                "M%.1f %.1fh%dM%.1f %.1fV%.1fM%.1f %.1fh%d",
                                x - CAP, low, 2 * CAP, x, low, high, x - CAP, high, 2 * CAP));
            }
            path.append(path.isEmpty() ? 'M' : 'L')
                    .append(Svg.format("%.1f %.1f", x, frame.y(vertical.place(measured.median()))));
        }
        svg.path("line " + Svg.colour(index), path.toString());
        line.forEach(figure -> svg.mark(
                index,
                x(frame, figure),
                frame.y(vertical.place(figure.measured().median()))));
    }

    private double x(Frame frame, Figure figure) {
        return frame.x(horizontal.place(isNumeric ? Double.parseDouble(place(figure)) : places.indexOf(place(figure))));
    }
}
