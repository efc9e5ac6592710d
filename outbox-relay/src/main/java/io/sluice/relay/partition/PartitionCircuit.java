package io.sluice.relay.partition;

import com.azure.cosmos.CosmosException;
import dev.failsafe.CircuitBreaker;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.log.LogKeys;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps requests from a physical partition of the store that is away. The circuit opens when most of the latest
 * requests failed; after a delay one request passes, and closes the circuit or opens it again. A partition that
 * throttles is not away, and is asked again when it says. Thread-safe.
 */
public final class PartitionCircuit {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionCircuit.class);
    private static final int FAILURES = 5;
    private static final int OF_THE_LATEST = 6;
    private static final int THROTTLED = 429;
    /** How long others wait while one request finds out whether the partition is back. */
    private static final Duration SHORTEST_REST = Duration.ofMillis(250);

    private static final Duration LONGEST_REST = Duration.ofSeconds(15);
    /** Of the time that it was away. */
    private static final int REST_SHARE = 4;

    private final CircuitBreaker<Object> breaker;
    private final LongSupplier nanos;
    private final Runnable onAway;
    private volatile long openSinceNanos;
    private long askedNanos;
    private boolean isThrottling;
    private long throttlingSinceNanos;

    /** What an answer says of the partition. */
    public enum Answer {
        /** It works. */
        GIVEN,
        /** It is away. */
        AWAY,
        /** Its request units are used up. */
        THROTTLED
    }

    /**
     * Begins closed.
     *
     * @param partition which one, for the log
     * @param delay until one request finds out whether it is back
     * @param nanos the time
     * @param onAway runs after each request that failed
     */
    PartitionCircuit(KeyRange partition, Duration delay, LongSupplier nanos, Runnable onAway) {
        this.onAway = onAway;
        this.nanos = nanos;
        this.askedNanos = nanos.getAsLong();
        this.breaker = CircuitBreaker.builder()
                .withFailureThreshold(FAILURES, OF_THE_LATEST)
                .withSuccessThreshold(1)
                .withDelay(delay)
                .onOpen(event -> opened(partition, event.getPreviousState() == CircuitBreaker.State.CLOSED))
                .onClose(event -> LOG.atInfo()
                        .addKeyValue(LogKeys.RANGE, partition.name())
                        .log("a partition of the store answers again: deliveries to its instances go on"))
                .build();
    }

    private void opened(KeyRange partition, boolean wasClosed) {
        if (wasClosed) {
            openSinceNanos = nanos.getAsLong();
            LOG.atWarn()
                    .addKeyValue(LogKeys.RANGE, partition.name())
                    .log(
                            "a partition of the store does not answer: deliveries to its instances wait, one request at a time finds out when it is back");
        }
    }

    /**
     * Sends a request to the partition while the circuit is closed. A request that fails with an exception means that
     * the partition is away, unless it was throttled.
     *
     * @param judge what an answer says of the partition
     * @throws CircuitOpenException when the request was not sent
     */
    public <T> T call(Supplier<T> request, Function<T, Answer> judge) {
        requirePermit();
        var answer = Answer.AWAY;
        try {
            T given = request.get();
            answer = judge.apply(given);
            return given;
        } catch (RuntimeException e) {
            answer = isThrottled(e) ? Answer.THROTTLED : Answer.AWAY;
            throw e;
        } finally {
            record(answer);
        }
    }

    private void requirePermit() {
        setAsked();
        if (!breaker.tryAcquirePermit()) {
            throw new CircuitOpenException(rest());
        }
    }

    /** The longer it is away, the longer: all sources with an intent for it are read again behind the rest. */
    private Duration rest() {
        var away = Duration.ofNanos(nanos.getAsLong() - openSinceNanos).dividedBy(REST_SHARE);
        var grown = away.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : away;
        var jittered =
                grown.multipliedBy(ThreadLocalRandom.current().nextInt(50, 101)).dividedBy(100);
        return Stream.of(SHORTEST_REST, breaker.getRemainingDelay(), jittered)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    private synchronized void setAsked() {
        askedNanos = nanos.getAsLong();
    }

    private static boolean isThrottled(RuntimeException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CosmosException refusal && refusal.getStatusCode() == THROTTLED) {
                return true;
            }
        }
        return false;
    }

    private void record(Answer answer) {
        if (answer == Answer.AWAY) {
            breaker.recordFailure();
            onAway.run();
        } else {
            breaker.recordSuccess();
        }
        recordThrottling(answer == Answer.THROTTLED);
    }

    private synchronized void recordThrottling(boolean throttled) {
        if (throttled && !isThrottling) {
            throttlingSinceNanos = nanos.getAsLong();
        }
        isThrottling = throttled;
    }

    public CircuitState state() {
        return CircuitState.valueOf(breaker.getState().name());
    }

    /** Since the last request, whether it was sent or not. */
    synchronized Duration sinceAsked() {
        return Duration.ofNanos(nanos.getAsLong() - askedNanos);
    }

    /** For how long it has refused every request for want of request units; zero when it has not. */
    synchronized Duration throttling() {
        return isThrottling ? Duration.ofNanos(nanos.getAsLong() - throttlingSinceNanos) : Duration.ZERO;
    }
}
