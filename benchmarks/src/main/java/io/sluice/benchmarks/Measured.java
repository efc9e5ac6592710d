package io.sluice.benchmarks;

import io.sluice.emulator.LoggedRequest;
import java.util.List;

/**
 * What one operation cost.
 *
 * @param requests requests to data partitions; a cross-partition query counts once
 * @param routing query plans, account, container and range reads beside them
 * @param documents documents that came back
 * @param bytes of the bodies of requests and answers
 * @param requestUnits charge of all of them
 */
record Measured(int requests, int routing, int documents, long bytes, double requestUnits) {

    static Measured of(List<LoggedRequest> log) {
        var data = log.stream().filter(request -> request.operation().isData()).toList();
        // One cross-partition query is one request per physical partition on the wire: same text, no partition key.
        long fannedOut = data.stream().filter(Measured::isCrossPartition).count();
        long queries = data.stream()
                .filter(Measured::isCrossPartition)
                .map(LoggedRequest::body)
                .distinct()
                .count();
        return new Measured(
                (int) (data.size() - fannedOut + queries),
                log.size() - data.size(),
                data.stream().mapToInt(LoggedRequest::itemCount).sum(),
                data.stream()
                        .mapToLong(request -> (long) request.bytesIn() + request.bytesOut())
                        .sum(),
                log.stream().mapToDouble(LoggedRequest::requestCharge).sum());
    }

    private static boolean isCrossPartition(LoggedRequest request) {
        return request.operation() == io.sluice.emulator.RequestKind.QUERY && request.partitionKey() == null;
    }
}
