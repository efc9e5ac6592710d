package io.sluice.benchmarks.page;

import io.sluice.benchmarks.result.Conditions;
import io.sluice.benchmarks.result.Report;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Makes {@code docs/performance.md} and its charts of reports, and of nothing else: the same reports always make the same files. */
public final class PerformancePage {
    /** The page, beneath the folder of the documentation. */
    public static final Path PAGE = Path.of("performance.md");
    /** Reports and charts, beneath the same folder. */
    public static final Path FOLDER = Path.of("benchmarks");

    private static final String HEAD = """
            # What it costs and how fast it is

            `mvn -q -Pbench` runs every benchmark, `-Dbench=<name>,<name>` some; `mvn -q -Prequests` only counts requests, in a minute or two. Each leaves its figures in
            [`docs/benchmarks`](benchmarks) as JSON. This page and its charts are made of those files (`-Dbench=page` makes them anew), and a test holds them to be.

            Medians of several runs, in brackets the least and the greatest. **Counts** (requests, documents, request units) are the same on every machine; **times** are those of the machine
            named beside them, on which emulator, broker and senders share the processors with what is measured. Processor time per operation can be compared where throughput can't.
            """;

    private PerformancePage() {}

    /**
     * What a benchmark found, and how to show it.
     *
     * @param section how
     * @param report what
     */
    public record Chapter(Section section, Report report) {}

    /** All files, by their paths beneath the folder of the documentation. */
    public static Map<Path, String> files(List<Chapter> chapters) {
        Map<Path, String> files = new LinkedHashMap<>();
        files.put(PAGE, page(chapters));
        for (var chapter : chapters) {
            for (var view : chapter.section().views()) {
                if (view instanceof Chart chart) {
                    files.put(
                            FOLDER.resolve(chart.file() + ".svg"),
                            Drawing.of(chart, chapter.report().figures()));
                }
            }
        }
        return files;
    }

    private static String page(List<Chapter> chapters) {
        var text = new StringBuilder(HEAD);
        text.append("\n| `-Dbench=` | |\n|---|---|\n");
        for (var chapter : chapters) {
            var title = chapter.section().title();
            text.append(Tables.row(List.of(
                    "`" + chapter.report().name() + "`",
                    "[" + title + "](#"
                            + title.toLowerCase(Locale.ROOT)
                                    .replaceAll("[^a-z0-9 -]", "")
                                    .replace(' ', '-') + ")")));
        }
        text.append(
                        "\n## Budgets\nWhat the design allows or demands, and how much of it is taken: more than 1 is too much. The worst come first.\n\n")
                .append(Budgets.table(chapters.stream().map(Chapter::report).toList()));
        chapters.forEach(chapter -> text.append(section(chapter)));
        return text.toString();
    }

    private static String section(Chapter chapter) {
        var section = chapter.section();
        var text = new StringBuilder("\n## " + section.title() + "\n");
        text.append(conditions(chapter.report().conditions())).append('\n');
        if (!section.introduction().isBlank()) {
            text.append('\n').append(section.introduction().strip()).append('\n');
        }
        for (var view : section.views()) {
            text.append('\n').append(shown(view, chapter.report()).strip()).append('\n');
        }
        return text.toString();
    }

    private static String shown(View view, Report report) {
        if (view instanceof View.Text words) {
            return words.markdown();
        } else if (view instanceof View.Listing listing) {
            return Tables.listing(View.named(report.figures(), listing.figures()));
        } else if (view instanceof View.Table table) {
            return Tables.table(table, report.figures());
        } else if (view instanceof Chart chart) {
            return "![" + chart.title() + "](" + FOLDER + "/" + chart.file() + ".svg)";
        }
        throw new IllegalArgumentException("no such view: " + view);
    }

    private static String conditions(Conditions conditions) {
        return String.format(
                Locale.ROOT,
                "*%s by `%s`, %s%s, %d processors, Java %s; load average %.1f before and %.1f after.*",
                conditions.date(),
                conditions.command(),
                conditions.runs() == 1 ? "" : conditions.runs() + " runs: ",
                conditions.machine(),
                conditions.processors(),
                conditions.java(),
                conditions.loadBefore(),
                conditions.loadAfter());
    }
}
