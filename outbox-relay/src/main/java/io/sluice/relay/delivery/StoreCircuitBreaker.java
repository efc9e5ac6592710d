package io.sluice.relay.delivery;

import dev.failsafe.CircuitBreaker;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps requests from a store that is away. The circuit opens when most of the latest requests failed; after a delay
 * one request passes, and closes the circuit or opens it again. Thread-safe.
 */
final class StoreCircuitBreaker {
    private static final Logger LOG = LoggerFactory.getLogger(StoreCircuitBreaker.class);
    private static final int FAILURES = 8;
    private static final int OF_THE_LATEST = 10;
    /** How long others wait while one request finds out whether the store is back. */
    private static final Duration SHORTEST_REST = Duration.ofMillis(100);

    private final CircuitBreaker<Object> breaker;

    /** Begins closed. */
    StoreCircuitBreaker(Duration delay) {
        this.breaker = CircuitBreaker.builder()
                .withFailureThreshold(FAILURES, OF_THE_LATEST)
                .withSuccessThreshold(1)
                .withDelay(delay)
                .onOpen(
                        event -> LOG.atWarn()
                                .addKeyValue("delayMillis", delay.toMillis())
                                .log(
                                        "the store does not answer: deliveries wait, one request at a time finds out when it is back"))
                .onClose(event -> LOG.atInfo().log("the store answers again: deliveries go on"))
                .build();
    }

    /**
     * Sends a request to the store while the circuit is closed.
     *
     * @param isAway whether an answer means that the store is away; an exception always does
     * @throws CircuitOpenException when the request was not sent
     */
    <T> T call(Supplier<T> request, Predicate<T> isAway) {
        if (!breaker.tryAcquirePermit()) {
            var left = breaker.getRemainingDelay();
            throw new CircuitOpenException(left.compareTo(SHORTEST_REST) < 0 ? SHORTEST_REST : left);
        }
        boolean answered = false;
        try {
            T answer = request.get();
            answered = !isAway.test(answer);
            return answer;
        } finally {
            if (answered) {
                breaker.recordSuccess();
            } else {
                breaker.recordFailure();
            }
        }
    }

    CircuitState state() {
        return CircuitState.valueOf(breaker.getState().name());
    }
}
