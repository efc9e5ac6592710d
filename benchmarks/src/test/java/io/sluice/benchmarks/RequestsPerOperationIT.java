package io.sluice.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestsPerOperationIT {
    private static final Map<String, Integer> MOST_REQUESTS = Map.of(
            "fetch of a turn, new instance", 2,
            "fetch of a turn, cached instance", 2,
            "ack of a turn, 2 events and 1 activity", 1,
            "renew the lock of a turn", 1,
            "fetch of an activity", 2,
            "ack of an activity with its completion", 1,
            "renew the lock of an activity", 1,
            "abandon an activity", 1);

    @ParameterizedTest(name = "{0} physical partitions")
    @ValueSource(ints = {1, 4})
    void operations_stay_within_their_budget_of_requests(int physicalPartitions) {
        var rows = RequestsPerOperation.measure(physicalPartitions);

        assertThat(rows.keySet()).containsAll(MOST_REQUESTS.keySet());
        rows.forEach((operation, cost) -> assertThat(cost.requests())
                .as("requests of '%s'", operation)
                .isBetween(1, MOST_REQUESTS.getOrDefault(operation, 5)));
        assertThat(RequestsPerOperation.table(physicalPartitions, rows)).contains("| RU |");
    }
}
