package io.sluice.benchmarks;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import java.util.List;

/**
 * What requests to the store cost.
 *
 * @param requests on the wire: to data partitions, each counted where a query goes to several, and query plans
 * @param plans of these, the query plans
 * @param requestUnits charge of all that was asked, reads of account, container and ranges included
 */
record RequestCost(int requests, int plans, double requestUnits) {
    /** Of these requests. */
    static RequestCost of(List<LoggedRequest> log) {
        int data = (int)
                log.stream().filter(request -> request.operation().isData()).count();
        int plans = (int) log.stream()
                .filter(request -> request.operation() == RequestKind.QUERY_PLAN)
                .count();
        return new RequestCost(
                data + plans,
                plans,
                log.stream().mapToDouble(LoggedRequest::requestCharge).sum());
    }
}
