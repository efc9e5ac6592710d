package io.sluice.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFileTest {
    private static final Conditions CONDITIONS =
            new Conditions("2026-11-22", "mvn -q -Pbench", "\"quick\" processor", 2, "17", 0.5, 1.5, 5);

    @Test
    void a_report_comes_back_as_it_was_written_and_parameters_keep_their_order(@TempDir Path folder)
            throws IOException {
        var figure = Figure.of("turns", "per second", new Spread(1, 2.5, 3))
                .at("dispatchers", 8)
                .at("cache", "warm")
                .within(Budget.atLeast(2));
        var report = new Report("provider", CONDITIONS, List.of(figure, Figure.exactly("requests", "", 3)));

        ReportFile.write(folder, report);

        var read = ReportFile.read(folder, "provider").orElseThrow();
        assertThat(read).isEqualTo(report);
        assertThat(read.figures().get(0).parameters().keySet()).containsExactly("dispatchers", "cache");
        assertThat(Files.readString(folder.resolve("provider.json")).lines())
                .as("lines: each figure has one")
                .hasSize(4 + report.figures().size() + 2);
    }

    @Test
    void there_is_no_report_before_the_first_run(@TempDir Path folder) throws IOException {
        assertThat(ReportFile.read(folder, "provider")).isEmpty();
    }

    @Test
    void a_spread_is_of_the_sorted_runs_to_four_digits() {
        assertThat(Spread.of(List.of(3.14159, 1.0, 123_456.7), Double::doubleValue))
                .isEqualTo(new Spread(1, 3.142, 123_500));
    }

    @Test
    void the_share_of_a_budget_grows_with_costs_and_falls_with_throughput() {
        assertThat(Budget.atMost(200).share(50)).isEqualTo(0.25);
        assertThat(Budget.atLeast(1_000).share(500)).isEqualTo(2);
    }
}
