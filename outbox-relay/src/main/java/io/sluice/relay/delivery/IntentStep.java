package io.sluice.relay.delivery;

import io.opentelemetry.api.trace.SpanKind;
import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.Intent;
import io.sluice.relay.delivery.DeliveryPolicy.Decision;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.log.TraceSpan;
import io.sluice.relay.loop.RetryBackoff;
import io.sluice.relay.partition.CircuitOpenException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Handles the first intent of a pair as {@link DeliveryPolicy} decides: delivers it, claims it, parks it or gives it up
 * permanently. Thread-safe.
 */
final class IntentStep {
    private static final Logger LOG = LoggerFactory.getLogger(IntentStep.class);

    /** A passing failure is mostly over at once: so many tries follow each other. */
    private static final int TRIES = 3;

    /** How long an intent is left to the writers of other kinds when its document has no room for a claim. */
    private static final Duration LEFT_TO_OTHERS = Duration.ofMinutes(1);

    private final Outbox outbox;
    private final DeliveryPolicy policy;
    private final RetryBackoff parking;
    private final DeliveryCounters counters;
    private final InstantSource clock;
    private final RetryBackoff soon = new RetryBackoff(Duration.ofMillis(50), Duration.ofMillis(400), new Random());

    /** How a step ended. */
    sealed interface Outcome {
        /** The target has the intent: its document can be removed, and the pair continues. */
        record Delivered() implements Outcome {}

        /** The intent was given up: the pair continues without it. */
        record Failed() implements Outcome {}

        /** The delivery has failed and is tried again soon. */
        record Again(Duration delay) implements Outcome {}

        /** The intent stays where it is, and its pair waits. */
        record Stopped(DrainResult result) implements Outcome {}
    }

    IntentStep(
            Outbox outbox,
            DeliveryPolicy policy,
            RetryBackoff parking,
            DeliveryCounters counters,
            InstantSource clock) {
        this.outbox = outbox;
        this.policy = policy;
        this.parking = parking;
        this.counters = counters;
        this.clock = clock;
    }

    /**
     * Handles an intent that is the first of its pair.
     *
     * @param failures tries of it that have just failed
     */
    Outcome run(Intent intent, int failures) {
        try {
            var decision = policy.decide(intent, clock.millis());
            return decision instanceof Decision.Send ? deliver(intent, failures) : apply(intent, decision);
        } catch (CircuitOpenException e) {
            return stopUntil(clock.millis() + e.delay().toMillis());
        }
    }

    /**
     * Claims the intents behind one that stops its pair: if each was claimed only when it became the first of the pair,
     * each would wait for its own claim. Claims may happen in any order; only deliveries are in order.
     *
     * @return when the next of them can be claimed
     */
    DrainResult claimBehind(List<Intent> behind) {
        var result = DrainResult.NOTHING_LEFT;
        for (var intent : behind) {
            var decision = policy.decide(intent, clock.millis());
            if (decision instanceof Decision.Claim) {
                claim(intent);
            } else if (decision instanceof Decision.Wait wait && policy.needsClaim(intent)) {
                result = result.merge(DrainResult.dueAt(wait.untilMillis()));
            }
        }
        return result;
    }

    /** Whatever is decided but to send it. */
    private Outcome apply(Intent intent, Decision decision) {
        if (decision instanceof Decision.Wait wait) {
            return stopUntil(wait.untilMillis());
        }
        if (decision instanceof Decision.Claim) {
            return claim(intent);
        }
        return giveUp(intent, (Decision.GiveUp) decision);
    }

    private static Outcome stopUntil(long millis) {
        return new Outcome.Stopped(DrainResult.dueAt(millis));
    }

    private Outcome deliver(Intent intent, int failures) {
        var outcome = send(intent);
        if (outcome instanceof DeliveryOutcome.Delivered done) {
            if (done.now()) {
                counters.recordDelivered(intent, clock.millis());
            }
            return new Outcome.Delivered();
        }
        if (outcome instanceof DeliveryOutcome.Refused refused) {
            return apply(intent, policy.giveUpOrClaim(intent, refused.reason(), false));
        }
        if (outcome instanceof DeliveryOutcome.Poison poison) {
            var refused = intent.refused(poison.error(), clock.millis());
            return refused.attempts() >= policy.maxAttempts()
                    ? apply(refused, policy.giveUpOrClaim(refused, tooManyAttempts(refused), false))
                    : park(intent, poison.error());
        }
        return retry(intent, (DeliveryOutcome.Transient) outcome, failures + 1);
    }

    private DeliveryOutcome send(Intent intent) {
        counters.beginDelivery();
        try (var span = TraceSpan.begin("deliver intent", SpanKind.PRODUCER, intent.trace())) {
            span.with("sluice.intent", intent.key())
                    .with("sluice.source", intent.sourceInstance())
                    .with("sluice.target", intent.targetInstance());
            var outcome = outbox.deliver(intent);
            if (outcome instanceof DeliveryOutcome.Delivered done) {
                span.recordOutcome(done.now() ? "delivered" : "delivered before");
            }
            return outcome;
        } finally {
            counters.endDelivery();
        }
    }

    private static String tooManyAttempts(Intent intent) {
        return "refused " + intent.attempts() + " times, at last: " + intent.lastError();
    }

    private Outcome retry(Intent intent, DeliveryOutcome.Transient failure, int failures) {
        if (failure.retryAfter() == null && failures < TRIES) {
            return new Outcome.Again(soon.after(failures));
        }
        counters.recordRetried();
        log(intent, failure.error()).log("intent could not be delivered now, the relay will try again");
        return new Outcome.Stopped(
                failure.retryAfter() == null
                        ? DrainResult.FAILED
                        : DrainResult.failedUntil(
                                clock.millis() + failure.retryAfter().toMillis()));
    }

    /**
     * Keeps the writers of other kinds from delivering an intent without a receipt. Processes that read it before the
     * claim have the time to deliver it: our delivery then meets the document in the target.
     */
    private Outcome claim(Intent intent) {
        long dueMillis = policy.claimedUntil(intent, clock.millis());
        if (outbox.claim(intent, dueMillis)) {
            return stopUntil(dueMillis);
        }
        // Nothing is lost: the others deliver it.
        log(intent, "its document has no room left to claim it").log("intent left to the writers of other kinds");
        return stopUntil(clock.millis() + LEFT_TO_OTHERS.toMillis());
    }

    private Outcome park(Intent intent, String reason) {
        long nextMillis = clock.millis() + parking.after(intent.attempts() + 1).toMillis();
        if (!outbox.park(intent, reason, nextMillis)) {
            // Tries that are not counted would never end.
            var uncounted = "refused, and its document has no room left to count tries: " + reason;
            return apply(intent, policy.giveUpOrClaim(intent, uncounted, false));
        }
        counters.recordParked();
        log(intent, reason)
                .log("the store refused an intent: parked until its next try, later intents to this target wait");
        return stopUntil(nextMillis);
    }

    private Outcome giveUp(Intent intent, Decision.GiveUp decision) {
        var reason = decision.reason();
        var end = decision.unknown() ? outbox.giveUpUnknown(intent, reason) : outbox.giveUp(intent, reason);
        if (end instanceof FailedIntents.GivingUp.WasDelivered) {
            return new Outcome.Delivered();
        }
        if (end instanceof FailedIntents.GivingUp.NotNow notNow) {
            log(intent, notNow.error()).log("intent could not be made a dead letter now, the relay will try again");
            return new Outcome.Stopped(DrainResult.FAILED);
        }
        counters.recordFailed();
        log(intent, reason).log("intent given up, it is a dead letter until an operator retries or discards it");
        return new Outcome.Failed();
    }

    private static LoggingEventBuilder log(Intent intent, String reason) {
        return LOG.atWarn()
                .addKeyValue(LogKeys.INTENT, intent.key())
                .addKeyValue(LogKeys.TARGET, intent.targetInstance())
                .addKeyValue(LogKeys.ATTEMPTS, intent.attempts())
                .addKeyValue(LogKeys.REASON, reason);
    }
}
