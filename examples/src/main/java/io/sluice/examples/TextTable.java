package io.sluice.examples;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Aligned columns of text: the first to the left, the others to the right. */
final class TextTable {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    TextTable(String... header) {
        row((Object[]) header);
    }

    TextTable row(Object... cells) {
        rows.add(Arrays.stream(cells).map(TextTable::text).toList());
        return this;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            text.append(' ');
            for (int column = 0; column < row.size(); column++) {
                String cell = row.get(column);
                String padding = " ".repeat(width(column) - cell.length());
                text.append(GAP).append(column == 0 ? cell + padding : padding + cell);
            }
            text.append(System.lineSeparator());
        }
        return text.toString();
    }

    private int width(int column) {
        return rows.stream()
                .filter(row -> row.size() > column)
                .mapToInt(row -> row.get(column).length())
                .max()
                .orElse(0);
    }

    private static String text(Object cell) {
        if (cell instanceof Double number) {
            return String.format(Locale.ROOT, "%.2f", number);
        } else if (cell instanceof Number number) {
            return String.format(Locale.ROOT, "%,d", number.longValue()).replace(',', ' ');
        }
        return cell.toString();
    }
}
