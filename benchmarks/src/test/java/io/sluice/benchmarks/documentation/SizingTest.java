package io.sluice.benchmarks.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code docs/sizing.md} computes with the prices of {@code docs/performance.md}, on one physical partition. */
class SizingTest {
    private static final Path SIZING = Path.of("docs", "sizing.md");
    private static final Path PERFORMANCE = Path.of("docs", "performance.md");

    @Test
    void fetches_cost_what_was_measured() throws IOException {
        assertThat(Repository.text(SIZING))
                .contains("| fetch of a turn: new / cached / cold instance | %s / %s / %s,"
                        .formatted(
                                requestUnits("fetch of a turn, new instance"),
                                requestUnits("fetch of a turn, cached instance"),
                                requestUnits("fetch of a turn, cold instance")))
                .contains("| fetch of an activity | %s +".formatted(requestUnits("fetch of an activity")));
    }

    @Test
    void the_price_of_an_ack_is_that_of_its_documents() throws IOException {
        double replaced = Double.parseDouble(requestUnits("ack of an activity with its completion"));
        double documents = 4; // the message, two events and an activity

        assertThat(Repository.text(SIZING))
                .contains("| ack of a turn | %s + 4.95 for every message consumed".formatted(replaced));
        assertThat(Double.parseDouble(requestUnits("ack of a turn, 2 events and 1 activity")))
                .isEqualTo(replaced + documents * 4.95, within(0.1));
    }

    /** The last column of an operation's first row, which is for one physical partition. */
    private static String requestUnits(String operation) throws IOException {
        List<String> row = Repository.text(PERFORMANCE)
                .lines()
                .filter(line -> line.startsWith("| " + operation + " |"))
                .findFirst()
                .map(line -> Arrays.asList(line.split("\\|", -1)))
                .orElseThrow(() -> new AssertionError("docs/performance.md has no row for " + operation));
        return row.get(row.size() - 2).strip();
    }
}
