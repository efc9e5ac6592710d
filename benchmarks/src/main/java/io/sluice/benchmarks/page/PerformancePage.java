package io.sluice.benchmarks.page;

import io.sluice.benchmarks.result.Conditions;
import io.sluice.benchmarks.result.Report;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Writes {@code docs/performance.md} from reports: the same reports always give the same text. */
public final class PerformancePage {
    /** The page, relative to the folder of the documentation. */
    public static final Path PAGE = Path.of("performance.md");
    /** The folder of the reports, relative to the same folder. */
    public static final Path FOLDER = Path.of("benchmarks");

    private static final String HEAD = """
            # What it costs and how fast it is

            On one machine with two processors that Sluice, the Cosmos DB emulator, the Kafka broker and the senders of
            the load share:

            """;

    private static final String METHOD = """

            Medians of several runs, in brackets the least and the greatest. **Counts** (requests, documents, request
            units) are the same on every machine; **times** hold for the machine named in each section. Processor time
            per operation can be compared where throughput can't. [Every budget of the design](#budgets) and its share
            stand at the end.

            `mvn -q -Pbench` runs every benchmark, `-Dbench=<name>,<name>` some; `mvn -q -Prequests` only counts
            requests, in a minute or two. Each writes its figures to [`docs/benchmarks`](benchmarks) as JSON.
            `-Dbench=page` only writes this page from those files, and a test compares them.

            | `-Dbench=` | |
            |---|---|
            """;

    private static final String BUDGETS = """

            ## Budgets
            What the design allows or demands, and the share that is used: more than 1 is too much. The worst come
            first.

            """;

    private PerformancePage() {}

    /**
     * A benchmark on the page.
     *
     * @param section how its figures are shown
     * @param report the figures
     */
    public record Chapter(Section section, Report report) {}

    /** The text of the page. */
    public static String text(List<Chapter> chapters) {
        var reports = chapters.stream().map(Chapter::report).toList();
        var text = new StringBuilder(HEAD).append(Highlights.table(reports)).append(METHOD);
        chapters.forEach(chapter -> text.append(Tables.row(List.of(
                "`" + chapter.report().name() + "`", link(chapter.section().title())))));
        chapters.forEach(chapter -> text.append(section(chapter)));
        return text.append(BUDGETS).append(Budgets.table(reports)).toString();
    }

    private static String link(String title) {
        var anchor =
                title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]", "").replace(' ', '-');
        return "[" + title + "](#" + anchor + ")";
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
