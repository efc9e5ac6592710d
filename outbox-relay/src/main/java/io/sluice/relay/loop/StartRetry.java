package io.sluice.relay.loop;

import com.azure.cosmos.CosmosException;
import io.sluice.program.PrerequisiteException;
import io.sluice.provider.ProviderException;
import io.sluice.relay.log.LogKeys;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats a start while Cosmos or Kafka can't be reached: they may come up later than the relay, or be too busy to
 * respond at once. A fault that time does not correct (a wrong key, a missing topic, a setting) ends the start at once.
 *
 * @param timeout for how long another try may begin; zero for one try
 * @param stop ends the waiting
 * @param failed receives the reason of every failed try that is followed by another
 */
public record StartRetry(Duration timeout, StopRequest stop, Consumer<String> failed) {
    private static final Logger LOG = LoggerFactory.getLogger(StartRetry.class);
    private static final Duration FIRST_REST = Duration.ofMillis(500);
    private static final Duration LONGEST_REST = Duration.ofSeconds(10);
    /** No response; request timeout; gone (moved); too many requests; retry with; unavailable. */
    private static final Set<Integer> PASSING_ANSWERS = Set.of(0, 408, 410, 429, 449, 503);

    /**
     * Repeats an attempt until it succeeds.
     *
     * @param attempt leaves nothing running if it fails
     * @throws PrerequisiteException or {@link ProviderException} of the last attempt
     */
    public <T> T run(Supplier<T> attempt) {
        var backoff = new RetryBackoff(FIRST_REST, LONGEST_REST, ThreadLocalRandom.current());
        long begun = System.nanoTime();
        for (int tries = 1; ; tries++) {
            try {
                return attempt.get();
            } catch (PrerequisiteException | ProviderException e) {
                var pause = backoff.after(tries);
                var left = timeout.minusNanos(System.nanoTime() - begun);
                if (!passes(e) || left.compareTo(pause) < 0 || !goesOnAfter(pause, tries, left, e)) {
                    throw e;
                }
            }
        }
    }

    private boolean goesOnAfter(Duration pause, int tries, Duration left, RuntimeException failure) {
        LOG.atWarn()
                .addKeyValue(LogKeys.REASON, failure.getMessage())
                .addKeyValue("tries", tries)
                .addKeyValue("nextMillis", pause.toMillis())
                .addKeyValue("givesUpAfterMillis", left.toMillis())
                .log("can't start yet, will try again");
        failed.accept(String.valueOf(failure.getMessage()));
        try {
            return !stop.await(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether an attempt may succeed later without a change; of several faults, each must allow it. */
    static boolean passes(Throwable failure) {
        return Stream.of(failure.getSuppressed())
                        .filter(other -> other instanceof PrerequisiteException || other instanceof ProviderException)
                        .allMatch(StartRetry::passes)
                && causes(failure).noneMatch(InterruptedException.class::isInstance)
                && causes(failure).anyMatch(StartRetry::isPassing);
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause);
    }

    private static boolean isPassing(Throwable cause) {
        return cause instanceof RetriableException
                || cause instanceof TimeoutException
                || (cause instanceof ProviderException refused && refused.retryable())
                || (cause instanceof CosmosException answer && PASSING_ANSWERS.contains(answer.getStatusCode()));
    }
}
