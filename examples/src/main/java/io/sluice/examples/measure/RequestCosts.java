package io.sluice.examples.measure;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestLog;
import java.util.EnumMap;
import java.util.Map;

/** Requests and request units by what they were for. */
public final class RequestCosts {
    private final Map<RequestPurpose, Cost> costs = new EnumMap<>(RequestPurpose.class);

    private RequestCosts() {}

    /** Requests answered, and what they were charged. */
    public record Cost(long requests, double requestUnits) {
        private static final Cost NONE = new Cost(0, 0);

        private Cost plus(LoggedRequest request) {
            return new Cost(requests + 1, requestUnits + request.requestCharge());
        }
    }

    /** What the log holds by now about this container. */
    public static RequestCosts of(RequestLog log, String container) {
        RequestCosts costs = new RequestCosts();
        log.all()
                .forEach(request -> costs.costs.merge(
                        RequestPurpose.of(request, container),
                        Cost.NONE.plus(request),
                        (sum, one) -> sum.plus(request)));
        return costs;
    }

    /** The cost of one kind of work; zero when there was none. */
    public Cost of(RequestPurpose work) {
        return costs.getOrDefault(work, Cost.NONE);
    }
}
