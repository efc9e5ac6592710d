package io.sluice.relay.delivery;

import dev.failsafe.CircuitBreaker;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps requests from a store that is away. Most of the latest requests without a useful answer open it; after a rest a single one is let through, and closes it
 * or opens it again. Thread-safe.
 */
final class StoreCircuitBreaker {
    private static final Logger LOG = LoggerFactory.getLogger(StoreCircuitBreaker.class);
    private static final int FAILURES = 8;
    private static final int OF_THE_LATEST = 10;
    /** While another's probe is under way. */
    private static final Duration SHORTEST_REST = Duration.ofMillis(100);

    private final CircuitBreaker<Object> breaker;

    /** A closed one. */
    StoreCircuitBreaker(Duration rest) {
        this.breaker = CircuitBreaker.builder()
                .withFailureThreshold(FAILURES, OF_THE_LATEST)
                .withSuccessThreshold(1)
                .withDelay(rest)
                .onOpen(event -> LOG.atWarn()
                        .addKeyValue("restMillis", rest.toMillis())
                        .log("the store is away: deliveries wait, one request at a time finds out when it is back"))
                .onClose(event -> LOG.atInfo().log("the store answers again: deliveries go on"))
                .build();
    }

    /**
     * Asks the store, if it is not taken to be away.
     *
     * @param isAway whether an answer means that the store is away; an exception always does
     * @throws CircuitOpenException when the store was not asked
     */
    <T> T ask(Supplier<T> request, Predicate<T> isAway) {
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

    /** {@code closed}, {@code open} or {@code half_open}. */
    String state() {
        return breaker.getState().name().toLowerCase(Locale.ROOT);
    }
}
