package io.sluice.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What operations cost, counted, is what the page says; with {@code -Dsluice.requests.record=true} it is written. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RequestsPerOperationIT {
    private static final Path PAGE = Path.of("..", "docs", "performance.md");
    private static final String COMMAND = "mvn -q test -pl benchmarks -am -Dtest=RequestsPerOperationIT"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dsluice.requests.record=true";
    private static final int MARGIN_PERCENT = 15;

    @Test
    void operations_take_the_requests_that_the_page_says() throws IOException {
        var measured = RequestTables.operations(RequestsPerOperation.measure(1), RequestsPerOperation.measure(4));

        compare("operations", measured);
    }

    @Test
    void a_fetch_among_ready_instances_takes_the_requests_that_the_page_says() throws IOException {
        compare("fetches", RequestTables.fetches(List.of(1, 4, 16, 64), List.of(0, 1_000)));
    }

    @Test
    void what_is_large_costs_what_the_page_says_and_no_more_than_its_size() throws IOException {
        compare("large", RequestTables.large());
    }

    private static void compare(String table, List<String> measured) throws IOException {
        String begin = "<!-- " + table + ": begin -->\n";
        String end = "\n<!-- " + table + ": end -->";
        String page = Files.readString(PAGE);
        int from = page.indexOf(begin) + begin.length();
        int to = page.indexOf(end);
        if (Boolean.getBoolean("sluice.requests.record")) {
            Files.writeString(PAGE, page.substring(0, from) + String.join("\n", measured) + page.substring(to));
            return;
        }
        var said = page.substring(from, to).lines().toList();
        assertThat(said).as("docs/performance.md is written by: %s", COMMAND).hasSameSizeAs(measured);
        for (int row = 0; row < measured.size(); row++) {
            compareRow(said.get(row), measured.get(row));
        }
    }

    private static void compareRow(String said, String measured) {
        if (!measured.startsWith("| " + RequestsPerOperation.FAN_OUT + " |")) {
            assertThat(said)
                    .as("docs/performance.md is written by: %s", COMMAND)
                    .isEqualTo(measured);
            return;
        }
        var saidCells = said.split("\\|", -1);
        var cells = measured.split("\\|", -1);
        for (int column : new int[] {2, 6}) {
            assertThat(Double.parseDouble(saidCells[column].strip()))
                    .as("requests of %s", measured)
                    .isCloseTo(Double.parseDouble(cells[column].strip()), withinPercentage(MARGIN_PERCENT));
        }
    }
}
