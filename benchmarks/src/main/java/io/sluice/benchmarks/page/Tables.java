package io.sluice.benchmarks.page;

import io.sluice.benchmarks.result.Budget;
import io.sluice.benchmarks.result.Figure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Figures as tables in Markdown. */
final class Tables {
    private static final String NONE = "–";

    private Tables() {}

    /** A row for each figure. */
    static String listing(List<Figure> figures) {
        var text = new StringBuilder("| | asked for | measured |\n|---|---:|---:|\n");
        for (var figure : figures) {
            text.append(row(List.of(label(figure), budget(figure), Numbers.spread(figure.measured()))));
        }
        return text.toString();
    }

    /** A row for each combination of the table's parameters. */
    static String table(View.Table table, List<Figure> all) {
        var figures = View.named(all, table.figures()).stream()
                .filter(figure -> figure.isAt(table.where()))
                .toList();
        var columns = columns(table, figures);
        Map<List<String>, Map<String, String>> rows = new LinkedHashMap<>();
        for (var figure : figures) {
            var key = table.parameters().stream()
                    .map(name -> Numbers.parameter(figure.parameters().getOrDefault(name, NONE)))
                    .toList();
            var row = rows.computeIfAbsent(key, unused -> new LinkedHashMap<>());
            row.put(figure.heading(), Numbers.spread(figure.measured()));
            row.put(budgetOf(figure.heading()), budget(figure));
        }
        var head = new ArrayList<>(table.parameters());
        head.addAll(columns);
        var text = new StringBuilder(row(head.stream()
                .map(name -> name.startsWith(budgetOf("")) ? "asked for" : name)
                .toList()));
        text.append('|')
                .append("---|".repeat(table.parameters().size()))
                .append("---:|".repeat(columns.size()))
                .append('\n');
        rows.forEach((key, values) -> {
            var cells = new ArrayList<>(key);
            columns.forEach(column -> cells.add(values.getOrDefault(column, NONE)));
            text.append(row(cells));
        });
        return text.toString();
    }

    private static List<String> columns(View.Table table, List<Figure> figures) {
        var columns = new ArrayList<String>();
        for (var name : table.figures()) {
            var named = View.named(figures, List.of(name));
            named.stream().map(Figure::heading).distinct().forEach(columns::add);
            if (named.stream().anyMatch(figure -> figure.budget() != null)) {
                columns.add(budgetOf(named.get(0).heading()));
            }
        }
        return columns;
    }

    private static String budgetOf(String heading) {
        return "\0budget of " + heading;
    }

    /** Name, unit and parameters. */
    static String label(Figure figure) {
        return figure.parameters().isEmpty()
                ? figure.heading()
                : figure.heading() + "; " + parameters(figure.parameters());
    }

    /** Parameters with their names, but texts that say enough alone. */
    static String parameters(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(entry -> isNumber(entry.getValue())
                        ? entry.getKey() + " " + Numbers.parameter(entry.getValue())
                        : entry.getValue())
                .collect(Collectors.joining(", "));
    }

    private static boolean isNumber(String value) {
        return value.matches("[\\d.]+");
    }

    /** What was asked for. */
    static String budget(Figure figure) {
        var budget = figure.budget();
        if (budget == null) {
            return NONE;
        }
        return (budget.bound() == Budget.Bound.AT_MOST ? "≤ " : "≥ ") + Numbers.text(budget.value());
    }

    static String row(List<String> cells) {
        return "| " + cells.stream().map(cell -> cell.replace("|", "\\|")).collect(Collectors.joining(" | ")) + " |\n";
    }
}
