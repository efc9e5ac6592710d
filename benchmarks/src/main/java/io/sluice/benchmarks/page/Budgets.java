package io.sluice.benchmarks.page;

import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.result.Report;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Every budget of the design and what was measured, the worst first. */
final class Budgets {
    private record Line(String cells, double share) {}

    private Budgets() {}

    static String table(List<Report> reports) {
        var lines = new ArrayList<Line>();
        for (var report : reports) {
            report.figures().forEach(figure -> add(lines, report, figure));
        }
        lines.sort(Comparator.comparingDouble(Line::share).reversed());
        var text = new StringBuilder("| | benchmark | budget | measured | share |\n|---|---|---:|---:|---:|\n");
        lines.forEach(line -> text.append(line.cells()));
        return text.toString();
    }

    private static void add(List<Line> lines, Report report, Figure figure) {
        var budget = figure.budget();
        if (budget == null) {
            return;
        }
        double share = budget.share(figure.measured().median());
        var shown = String.format(Locale.ROOT, "%.2f", share);
        lines.add(new Line(
                Tables.row(List.of(
                        Tables.label(figure),
                        report.name(),
                        Tables.budget(figure),
                        Numbers.spread(figure.measured()),
                        share > 1 ? "**" + shown + "**" : shown)),
                share));
    }
}
