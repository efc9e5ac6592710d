package io.sluice.relay.deadletter;

import dev.failsafe.RateLimiter;
import io.sluice.provider.ProviderException;
import io.sluice.provider.outbox.FailedIntent;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.relay.ops.LogKeys;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What people do with the dead letters of the store: look, take up again, throw away. Thread-safe. */
public final class DeadLetterDesk {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterDesk.class);
    /** Which no writer of another kind delivers, whatever the fleet. */
    private static final String WAITING = "queued";

    private final FailedIntents failures;
    private final RateLimiter<Object> retries;

    /** How something done to one of them ended. */
    public enum Outcome {
        DONE,
        /** There is none with this id, or somebody was faster. */
        GONE
    }

    /**
     * What became of several that were taken up again.
     *
     * @param retried delivered as if new
     * @param answered left alone: their sources were told that they failed
     * @param gone changed or removed by others meanwhile
     */
    public record Retried(int retried, int answered, int gone) {
        private Retried and(int moreRetried, int moreAnswered, int moreGone) {
            return new Retried(retried + moreRetried, answered + moreAnswered, gone + moreGone);
        }
    }

    /**
     * Works on these.
     *
     * @param retriesPerSecond of many that are retried at once, so that they don't crowd out new work
     */
    public DeadLetterDesk(FailedIntents failures, int retriesPerSecond) {
        this.failures = failures;
        this.retries = RateLimiter.smoothBuilder(retriesPerSecond, Duration.ofSeconds(1))
                .build();
    }

    /**
     * Those there are, the newest failure first, without their documents.
     *
     * @param source only of this instance; null for all
     */
    public List<DeadLetterView> list(@Nullable String source) {
        return of(source).stream()
                .map(failed -> DeadLetterView.of(failed, false))
                .toList();
    }

    private List<FailedIntent> of(@Nullable String source) {
        return failures.all().stream()
                .filter(failed ->
                        source == null || failed.intent().sourceInstance().equals(source))
                .sorted(Comparator.comparingLong(FailedIntent::failedAtMillis).reversed())
                .toList();
    }

    /** One with everything there is. */
    public Optional<DeadLetterView> find(String id) {
        return failures.find(id).map(failed -> DeadLetterView.of(failed, true));
    }

    /**
     * Delivers one as if it were new.
     *
     * @throws ProviderException permanent when its source was told that it failed
     */
    public Outcome retry(String id) {
        return failures.find(id).map(this::retry).orElse(Outcome.GONE);
    }

    private Outcome retry(FailedIntent failed) {
        return did("retried", failed, failures.retry(failed, WAITING));
    }

    /** Removes one for good. */
    public Outcome discard(String id) {
        return failures.find(id)
                .map(failed -> did("discarded", failed, failures.discard(failed)))
                .orElse(Outcome.GONE);
    }

    private static Outcome did(String what, FailedIntent failed, boolean done) {
        if (done) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.INTENT, failed.intent().key())
                    .addKeyValue(LogKeys.TARGET, failed.intent().targetInstance())
                    .log("dead letter {} by an operator", what);
        }
        return done ? Outcome.DONE : Outcome.GONE;
    }

    /**
     * Delivers all of them as if they were new, the oldest failure first, as fast as the rate allows.
     *
     * @param source only of this instance; null for all
     * @param goesOn asked before each
     */
    public Retried retryAll(@Nullable String source, BooleanSupplier goesOn) throws InterruptedException {
        var sum = new Retried(0, 0, 0);
        var all = of(source);
        for (int i = all.size() - 1; i >= 0 && goesOn.getAsBoolean(); i--) {
            var failed = all.get(i);
            if (failed.answered()) {
                sum = sum.and(0, 1, 0);
            } else {
                retries.acquirePermit();
                sum = retry(failed) == Outcome.DONE ? sum.and(1, 0, 0) : sum.and(0, 0, 1);
            }
        }
        return sum;
    }
}
