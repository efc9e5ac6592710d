package io.sluice.relay.deadletter;

import dev.failsafe.RateLimiter;
import io.sluice.provider.ProviderException;
import io.sluice.provider.outbox.FailedIntent;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.Intent;
import io.sluice.relay.log.LogKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The operations of an operator on the dead letters of the store: list, retry, discard. Thread-safe. */
public final class DeadLetterAdmin {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterAdmin.class);
    private static final int MOST_AT_ONCE = 1_000;
    private static final int MOST_TRIES = 3;
    private static final Comparator<FailedIntent> OLDEST_FIRST = Comparator.comparingLong(FailedIntent::failedAtMillis)
            .thenComparing(FailedIntent::intent, Intent.DELIVERY_ORDER);

    private final FailedIntents failures;
    private final RateLimiter<Object> retries;

    /** The result of an operation on a dead letter. */
    public enum Outcome {
        DONE,
        /** There is no such dead letter, or it was changed again and again meanwhile. */
        GONE
    }

    /**
     * Operates on the dead letters of a store.
     *
     * @param retriesPerSecond limit for a retry of many, so that they don't crowd out new work
     */
    public DeadLetterAdmin(FailedIntents failures, int retriesPerSecond) {
        this.failures = failures;
        this.retries = RateLimiter.smoothBuilder(retriesPerSecond, Duration.ofSeconds(1))
                .build();
    }

    /**
     * Lists the latest dead letters, without their documents. If there are more than requested, a dead letter that was
     * published late may be listed instead of one that failed a little later.
     *
     * @param source only of this instance; null for all
     * @param most length of the list
     */
    public List<DeadLetterView> list(@Nullable String source, int most) {
        var newest = new ArrayList<FailedIntent>();
        String next = null;
        do {
            var page = failures.newest(source, Math.min(MOST_AT_ONCE, most - newest.size()), next);
            newest.addAll(page.failed());
            next = page.next();
        } while (next != null && newest.size() < most);
        return newest.stream()
                .sorted(OLDEST_FIRST.reversed())
                .map(failed -> DeadLetterView.of(failed, false))
                .toList();
    }

    /** The number of dead letters of a source. */
    public long count(String source) {
        return failures.count(source);
    }

    /** A dead letter with all details. */
    public Optional<DeadLetterView> find(String id) {
        return failures.find(id).map(failed -> DeadLetterView.of(failed, true));
    }

    /**
     * Retries a dead letter as if its intent were new.
     *
     * @throws ProviderException permanent when its source was notified of the failure
     */
    public Outcome retry(String id) {
        return change(id, "retried", failures::retry);
    }

    private Outcome retry(FailedIntent failed) {
        return logIfDone("retried", failed, failures.retry(failed));
    }

    /** Removes a dead letter permanently. */
    public Outcome discard(String id) {
        return change(id, "discarded", failures::discard);
    }

    /** Its publication changes it as well, so one that was changed meanwhile is looked for again. */
    private Outcome change(String id, String what, Predicate<FailedIntent> change) {
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            FailedIntent failed = failures.find(id).orElse(null);
            if (failed == null) {
                return Outcome.GONE;
            }
            if (logIfDone(what, failed, change.test(failed)) == Outcome.DONE) {
                return Outcome.DONE;
            }
        }
        return Outcome.GONE;
    }

    private static Outcome logIfDone(String what, FailedIntent failed, boolean done) {
        if (done) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.INTENT, failed.intent().key())
                    .addKeyValue(LogKeys.TARGET, failed.intent().targetInstance())
                    .log("an operator {} the dead letter of an intent", what);
        }
        return done ? Outcome.DONE : Outcome.GONE;
    }

    /**
     * Retries all dead letters as if their intents were new, the oldest failure first, as fast as the rate allows. One
     * that can't be retried does not stop the others.
     *
     * @param source only of this instance; null for all
     * @param goesOn asked before each
     */
    public RetryResult retryAll(@Nullable String source, BooleanSupplier goesOn) throws InterruptedException {
        var counter = new RetryResult.Counter();
        // A dead letter that fails again or is published meanwhile is listed again, as it has changed last.
        var met = new HashSet<String>();
        String next = null;
        do {
            FailedIntents.Page page;
            try {
                page = failures.oldest(source, next);
            } catch (ProviderException e) {
                return counter.incomplete(e.getMessage());
            }
            for (var failed : page.failed().stream().sorted(OLDEST_FIRST).toList()) {
                if (!goesOn.getAsBoolean()) {
                    return counter.incomplete(null);
                }
                if (met.add(
                        failed.intent().sourceInstance() + " " + failed.intent().key())) {
                    retry(failed, counter);
                }
            }
            next = page.next();
        } while (next != null);
        return counter.complete();
    }

    private void retry(FailedIntent failed, RetryResult.Counter counter) throws InterruptedException {
        if (failed.answered()) {
            counter.add(RetryResult.Fate.ANSWERED);
            return;
        }
        if (failures.isExpired(failed)) {
            counter.add(RetryResult.Fate.EXPIRED);
            return;
        }
        retries.acquirePermit();
        try {
            counter.add(retry(failed) == Outcome.DONE ? RetryResult.Fate.RETRIED : RetryResult.Fate.GONE);
        } catch (ProviderException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while retrying dead letters");
            }
            counter.addFailure(String.valueOf(e.getMessage()));
        }
    }
}
