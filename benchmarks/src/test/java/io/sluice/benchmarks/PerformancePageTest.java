package io.sluice.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.benchmarks.page.PerformancePage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page and its charts are what their reports make, and nobody has touched one of them by hand. */
class PerformancePageTest {
    private static final Path DOCUMENTATION = Path.of("..", "docs");

    @Test
    void the_committed_page_and_charts_are_those_of_the_committed_reports() throws IOException {
        var files = Benchmarks.files(DOCUMENTATION);

        assertThat(files).containsKey(PerformancePage.PAGE).hasSizeGreaterThan(1);
        for (var file : files.entrySet()) {
            assertThat(DOCUMENTATION.resolve(file.getKey()))
                    .as("made anew by mvn -q -Pbench -Dbench=page")
                    .hasContent(file.getValue());
        }
    }

    @Test
    void every_chart_and_report_belongs_to_a_benchmark() throws IOException {
        var made = Benchmarks.files(DOCUMENTATION).keySet().stream()
                .map(DOCUMENTATION::resolve)
                .collect(Collectors.toSet());
        Benchmarks.ALL.forEach(benchmark ->
                made.add(DOCUMENTATION.resolve(PerformancePage.FOLDER).resolve(benchmark.name() + ".json")));

        try (var files = Files.list(DOCUMENTATION.resolve(PerformancePage.FOLDER))) {
            assertThat(made).containsAll(files.toList());
        }
    }
}
