package io.sluice.benchmarks.relay;

import io.sluice.benchmarks.harness.Pause;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import java.time.Duration;

/** What a relay asks of Cosmos when nothing happens. */
final class IdleRequests {
    private static final Duration UNTIL_IDLE = Duration.ofSeconds(3);

    private IdleRequests() {}

    /**
     * Requests per minute for each of its key ranges and leases, seen through a window of time; a query over several
     * partitions counts once.
     */
    static double perRangeAndMinute(RelayTestbed bed, Duration window) {
        Pause.of(UNTIL_IDLE);
        bed.emulator().requests().clear();
        Pause.of(window);
        long counted = bed.emulator().requests().matching(IdleRequests::counts).count();
        double perMinute = counted * 60_000.0 / window.toMillis();
        return perMinute / (RelayTestbed.RANGES + RelayTestbed.PHYSICAL_PARTITIONS);
    }

    private static boolean counts(LoggedRequest request) {
        return request.operation() == RequestKind.QUERY_PLAN
                || (request.operation().isData() && request.operation() != RequestKind.QUERY);
    }
}
