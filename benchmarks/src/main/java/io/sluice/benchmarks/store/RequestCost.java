package io.sluice.benchmarks.store;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import java.time.Duration;
import java.util.List;

/**
 * The requests of one operation and their cost.
 *
 * @param requests requests to data partitions; a cross-partition query counts once
 * @param routing query plans, reads of account, container and ranges
 * @param plans of these, the query plans
 * @param wireRequests round trips that the operation makes: requests to data partitions, each counted, and query plans
 * @param documents documents that came back
 * @param documentsRead documents from which queries chose what came back
 * @param bytes of the bodies of requests and answers
 * @param requestUnits charge of all of them
 * @param emulatorMillis the emulator's time for all of them, one after the other
 */
public record RequestCost(
        int requests,
        int routing,
        int plans,
        int wireRequests,
        int documents,
        long documentsRead,
        long bytes,
        double requestUnits,
        double emulatorMillis) {

    /** On the wire a cross-partition query is one request to each physical partition. */
    public static RequestCost of(List<LoggedRequest> log, int physicalPartitions) {
        var data = log.stream().filter(request -> request.operation().isData()).toList();
        int fannedOut =
                (int) data.stream().filter(RequestCost::isCrossPartition).count();
        int plans = (int) log.stream()
                .filter(request -> request.operation() == RequestKind.QUERY_PLAN)
                .count();
        int queries = (fannedOut + physicalPartitions - 1) / physicalPartitions;
        return new RequestCost(
                data.size() - fannedOut + queries,
                log.size() - data.size(),
                plans,
                data.size() + plans,
                data.stream().mapToInt(LoggedRequest::itemCount).sum(),
                data.stream().mapToLong(LoggedRequest::itemsRead).sum(),
                data.stream()
                        .mapToLong(request -> (long) request.bytesIn() + request.bytesOut())
                        .sum(),
                log.stream().mapToDouble(LoggedRequest::requestCharge).sum(),
                log.stream()
                                .map(LoggedRequest::took)
                                .reduce(Duration.ZERO, Duration::plus)
                                .toNanos()
                        / 1e6);
    }

    private static boolean isCrossPartition(LoggedRequest request) {
        return request.operation() == RequestKind.QUERY && request.partitionKey() == null;
    }
}
