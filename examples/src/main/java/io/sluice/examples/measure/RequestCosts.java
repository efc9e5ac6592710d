package io.sluice.examples.measure;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestLog;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Predicate;

/** Requests and request units by what they were for. */
public final class RequestCosts {
    private final Map<RequestPurpose, Cost> costs = new EnumMap<>(RequestPurpose.class);

    private RequestCosts() {}

    /**
     * Requests answered, and what they were charged.
     *
     * @param succeeded of the requests
     */
    public record Cost(long requests, long succeeded, double requestUnits) {
        private static final Cost NONE = new Cost(0, 0, 0);
        private static final int FIRST_FAILURE = 300;

        private Cost plus(LoggedRequest request) {
            boolean isSuccess = request.status() > 0 && request.status() < FIRST_FAILURE && request.fault() == null;
            return new Cost(requests + 1, succeeded + (isSuccess ? 1 : 0), requestUnits + request.requestCharge());
        }
    }

    /** All requests of these in the log. */
    public static Cost sum(RequestLog log, Predicate<LoggedRequest> which) {
        return log.matching(which).reduce(Cost.NONE, Cost::plus, (first, second) -> {
            throw new IllegalStateException("not a parallel stream");
        });
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
