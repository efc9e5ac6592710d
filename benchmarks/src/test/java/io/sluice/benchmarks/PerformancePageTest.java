package io.sluice.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.benchmarks.page.PerformancePage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The committed page is the one that the committed reports give: nobody has changed it by hand. */
class PerformancePageTest {
    private static final Path DOCUMENTATION = Path.of("..", "docs");

    @Test
    void the_committed_page_is_that_of_the_committed_reports() throws IOException {
        assertThat(DOCUMENTATION.resolve(PerformancePage.PAGE))
                .as("written by mvn -q -Pbench -Dbench=page")
                .hasContent(Benchmarks.page(DOCUMENTATION));
    }

    @Test
    void every_report_belongs_to_a_benchmark() throws IOException {
        var reports = DOCUMENTATION.resolve(PerformancePage.FOLDER);

        try (var files = Files.list(reports)) {
            assertThat(Benchmarks.ALL)
                    .extracting(benchmark -> reports.resolve(benchmark.name() + ".json"))
                    .containsAll(files.toList());
        }
    }
}
