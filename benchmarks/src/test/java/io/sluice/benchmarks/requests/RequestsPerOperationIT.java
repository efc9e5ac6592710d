package io.sluice.benchmarks.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.sluice.benchmarks.result.ReportFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestsPerOperationIT {
    private static final Path REPORTS = Path.of("..", "docs", "benchmarks");
    private static final Map<String, Integer> MOST_REQUESTS = Map.ofEntries(
            Map.entry("fetch of a turn, new instance", 2),
            Map.entry("fetch of a turn, cached instance", 2),
            Map.entry("fetch of a turn, cold instance", 4),
            Map.entry("ack of a turn, 2 events and 1 activity", 1),
            Map.entry("ack of a turn that cancels an activity", 2),
            Map.entry("ack of a turn with 1 intent, delivered at once", 3),
            Map.entry("renew the lock of a turn", 1),
            Map.entry("abandon a turn", 1),
            Map.entry("fetch of an activity", 2),
            Map.entry("ack of an activity with its completion", 1),
            Map.entry("renew the lock of an activity", 1),
            Map.entry("abandon an activity", 1),
            Map.entry("fetch of an activity with a session", 3),
            Map.entry("ack of an activity with a session", 2),
            Map.entry("renew the lock of an activity with a session", 2),
            Map.entry("ack of a turn of 1 000 operations", 36),
            Map.entry("hello world (1 activity)", 10),
            Map.entry("fetch of a turn, 500 others waiting", 3),
            Map.entry("fan-out of 20", 67),
            Map.entry("parent → child → parent", 14));

    /** How often the operation looks for work, which is one request to each physical partition. */
    private static final Map<String, Integer> LOOKS = Map.ofEntries(
            Map.entry("fetch of a turn, new instance", 1),
            Map.entry("fetch of a turn, cached instance", 1),
            Map.entry("fetch of a turn, cold instance", 1),
            Map.entry("fetch of an activity", 1),
            Map.entry("fetch of an activity with a session", 1),
            Map.entry("fetch of a turn, 500 others waiting", 1),
            Map.entry("hello world (1 activity)", 3),
            Map.entry("parent → child → parent", 3),
            Map.entry("fan-out of 20", 5));

    /** How many of a fan-out's results one turn takes depends on how fast the machine is. */
    private static final int MARGIN_PERCENT = 15;

    @ParameterizedTest(name = "{0} physical partitions")
    @ValueSource(ints = {1, 4})
    void operations_stay_within_their_budget_of_requests_and_the_page_says_what_they_take(int physicalPartitions)
            throws IOException {
        var rows = RequestsPerOperation.measure(physicalPartitions);

        assertThat(rows).hasSameSizeAs(MOST_REQUESTS).containsOnlyKeys(MOST_REQUESTS.keySet());
        var reported = ReportFile.read(REPORTS, "requests").orElseThrow().figures();
        rows.forEach((operation, cost) -> {
            assertThat(cost.wireRequests())
                    .as("requests of '%s'", operation)
                    .isBetween(
                            1,
                            MOST_REQUESTS.getOrDefault(operation, 0)
                                    + (physicalPartitions - 1) * LOOKS.getOrDefault(operation, 0));
            var at = Map.of("operation", operation, "physical partitions", String.valueOf(physicalPartitions));
            assertThat(reported)
                    .as("docs/performance.md, '%s'", operation)
                    .filteredOn(figure -> figure.name().equals("requests") && figure.isAt(at))
                    .singleElement()
                    .satisfies(figure -> assertThat(figure.measured().median())
                            .isCloseTo(cost.wireRequests(), withinPercentage(MARGIN_PERCENT)));
        });
    }
}
