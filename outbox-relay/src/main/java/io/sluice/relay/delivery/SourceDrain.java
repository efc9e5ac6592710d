package io.sluice.relay.delivery;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.failsafe.RetryPolicy;
import io.opentelemetry.api.trace.SpanKind;
import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentSlice;
import io.sluice.relay.delivery.DeliveryPolicy.Decision;
import io.sluice.relay.ops.LogKeys;
import io.sluice.relay.ops.RetryBackoff;
import io.sluice.relay.ops.TraceSpan;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One look at a source: query its partition for what is undelivered, deliver each pair of source and target in
 * order, different pairs concurrently, and delete what was delivered in one batch. A pair stops at the first intent that
 * isn't due, is in trouble, or is poison; the other pairs go on. Thread-safe.
 *
 * <p>A source may have tens of thousands. They are read slice by slice, in the order of delivery, and settled round by round: what a round delivered is deleted
 * before the next begins, so that a process that dies leaves little that its successor has to ask receipts for. A pair that has stopped stays so for the look,
 * also in later slices, which are read without it. A look that has done much ends, so that other sources get their turn: what it delivered is gone, so the next one begins with the rest.
 */
final class SourceDrain {
    private static final Logger LOG = LoggerFactory.getLogger(SourceDrain.class);

    private static final Duration LEFT_ALONE_FOR = Duration.ofMinutes(1);
    /** Intents of a pair. */
    private static final int MOST_OF_A_ROUND = 100;
    /** Intents of all pairs, beyond which a look ends with its round. */
    private static final int ENOUGH_FOR_A_LOOK = 1_000;

    private final Outbox outbox;
    private final Executor pairs;
    private final RetryBackoff parking;
    private final DeliveryPolicy policy;
    private final Runnable failedForGood;
    private final InstantSource clock;
    private final DeliveryCounters figures;
    private final DeliveryMemory memory;
    private final FailsafeExecutor<DeliveryOutcome> patiently = Failsafe.with(RetryPolicy.<DeliveryOutcome>builder()
            .handleResultIf(
                    outcome -> outcome instanceof DeliveryOutcome.Transient trouble && trouble.retryAfter() == null)
            .withBackoff(Duration.ofMillis(50), Duration.ofMillis(400))
            .withJitter(0.3)
            .withMaxRetries(2)
            .abortOn(RuntimeException.class)
            .build());

    /**
     * What a look came to.
     *
     * @param nextMillis when to look again, {@link SourceQueue#NEVER} when nothing is left
     * @param inTrouble whether something failed that may pass: then the time is the caller's to choose
     * @param notBeforeMillis but not before this; the store asked for it
     */
    record Result(long nextMillis, boolean inTrouble, long notBeforeMillis) {
        static final Result NOTHING_LEFT = new Result(SourceQueue.NEVER, false, 0);
        static final Result TROUBLE = new Result(SourceQueue.NEVER, true, 0);

        static Result waitsUntil(long millis) {
            return new Result(millis, false, 0);
        }

        static Result troubleUntil(long millis) {
            return new Result(SourceQueue.NEVER, true, millis);
        }

        Result and(Result other) {
            return new Result(
                    Math.min(nextMillis, other.nextMillis),
                    inTrouble || other.inTrouble,
                    Math.max(notBeforeMillis, other.notBeforeMillis));
        }

        /** When to look again, as what is in trouble is to be tried again at this time. */
        long nextMillis(long againMillis) {
            return Math.min(nextMillis, Math.max(againMillis, notBeforeMillis));
        }
    }

    /**
     * What became of some intents of a pair.
     *
     * @param settled of them, delivered or given up
     * @param stopped whether the pair goes on no further in this look
     */
    private record PairResult(List<Intent> delivered, int settled, boolean stopped, Result result) {}

    /** A look under way. */
    private static final class Look {
        private final String source;
        private final Set<String> stopped = new HashSet<>();
        private Result result = Result.NOTHING_LEFT;
        private int settled;
        private IntentSlice.@Nullable Place next;
        private boolean isCutShort;

        private Look(String source) {
            this.source = source;
        }

        private void add(String target, PairResult ended) {
            result = result.and(ended.result());
            settled += ended.settled();
            if (ended.stopped()) {
                stopped.add(target);
            }
        }
    }

    SourceDrain(
            Outbox outbox,
            Executor pairs,
            RetryBackoff parking,
            DeliveryPolicy policy,
            Runnable failedForGood,
            InstantSource clock,
            DeliveryCounters figures,
            DeliveryMemory memory) {
        this.memory = memory;
        this.policy = policy;
        this.failedForGood = failedForGood;
        this.outbox = outbox;
        this.pairs = pairs;
        this.parking = parking;
        this.clock = clock;
        this.figures = figures;
    }

    /**
     * Looks at a source.
     *
     * @param goesOn asked after every round and slice; false ends the look early, and the rest is to be looked at at once
     * @throws io.sluice.provider.ProviderException when the source's partition can't be read or written; nothing is lost
     */
    Result of(String source, BooleanSupplier goesOn) {
        var look = new Look(source);
        boolean goesFurther;
        do {
            goesFurther = memory.holdingSlice(look.next, () -> settleSlice(look, goesOn));
        } while (goesFurther && goesOn.getAsBoolean());
        return look.next == null && !look.isCutShort ? look.result : look.result.and(Result.waitsUntil(clock.millis()));
    }

    /** Whether there is another slice to be settled in this look. */
    private boolean settleSlice(Look look, BooleanSupplier goesOn) {
        var slice = outbox.undelivered(look.source, look.next, look.stopped);
        look.next = slice.next();
        var waiting = byTarget(slice.intents());
        waiting.keySet().removeAll(look.stopped);
        while (!waiting.isEmpty()) {
            settleRound(look, waiting);
            if (!goesOn.getAsBoolean() || look.settled >= ENOUGH_FOR_A_LOOK) {
                look.isCutShort = !waiting.isEmpty();
                return false;
            }
        }
        return look.next != null;
    }

    private static Map<String, Deque<Intent>> byTarget(List<Intent> intents) {
        Map<String, Deque<Intent>> pairs = new LinkedHashMap<>();
        intents.forEach(intent -> pairs.computeIfAbsent(intent.targetInstance(), target -> new ArrayDeque<>())
                .add(intent));
        return pairs;
    }

    /** Settles the first of each pair. Leaves those that may go on; what was delivered is deleted, also when one of the pairs failed. */
    private void settleRound(Look look, Map<String, Deque<Intent>> waiting) {
        Map<String, CompletableFuture<PairResult>> underWay = new LinkedHashMap<>();
        waiting.forEach((target, pair) -> {
            var round = firstOf(pair);
            underWay.put(target, CompletableFuture.supplyAsync(() -> deliverInOrder(round), pairs));
        });
        var delivered = new ArrayList<Intent>();
        CompletionException failed = null;
        for (var pair : underWay.entrySet()) {
            try {
                var ended = pair.getValue().join();
                delivered.addAll(ended.delivered());
                look.add(pair.getKey(), ended);
            } catch (CompletionException e) {
                failed = e;
            }
        }
        if (!delivered.isEmpty()) {
            outbox.remove(look.source, delivered);
        }
        if (failed != null) {
            throw failed;
        }
        waiting.values().removeIf(Deque::isEmpty);
        waiting.keySet().removeAll(look.stopped);
    }

    private static List<Intent> firstOf(Deque<Intent> pair) {
        var first = new ArrayList<Intent>();
        while (first.size() < MOST_OF_A_ROUND && !pair.isEmpty()) {
            first.add(pair.remove());
        }
        return first;
    }

    private PairResult deliverInOrder(List<Intent> pair) {
        var delivered = new ArrayList<Intent>();
        int settled = 0;
        for (var intent : pair) {
            var step = settle(intent);
            if (step instanceof Step.Stop stop) {
                var result = stop.result().and(claimBehind(pair.subList(settled + 1, pair.size())));
                return new PairResult(delivered, settled, true, result);
            }
            settled++;
            if (step instanceof Step.Delivered) {
                delivered.add(intent);
            }
        }
        return new PairResult(delivered, settled, false, Result.NOTHING_LEFT);
    }

    /** What became of the head of a pair. */
    private sealed interface Step {
        record Delivered() implements Step {}

        /** Given up for good: the pair goes on without it. */
        record Failed() implements Step {}

        record Stop(Result result) implements Step {}
    }

    private Step settle(Intent intent) {
        try {
            return follow(intent, policy.decide(intent, clock.millis()));
        } catch (CircuitOpenException e) {
            return new Step.Stop(Result.waitsUntil(clock.millis() + e.rest().toMillis()));
        }
    }

    private Step follow(Intent intent, Decision decision) {
        if (decision instanceof Decision.Wait wait) {
            return new Step.Stop(Result.waitsUntil(wait.untilMillis()));
        }
        if (decision instanceof Decision.Claim) {
            return claimed(intent);
        }
        return decision instanceof Decision.GiveUp end ? givenUp(intent, end.reason(), end.unknown()) : send(intent);
    }

    private Step send(Intent intent) {
        var outcome = sent(intent);
        if (outcome instanceof DeliveryOutcome.Delivered done) {
            if (done.now()) {
                figures.delivered(clock.millis() - intent.createdAtMillis());
            }
            return new Step.Delivered();
        }
        if (outcome instanceof DeliveryOutcome.Refused refused) {
            return follow(intent, policy.givenUp(intent, refused.reason(), false));
        }
        if (outcome instanceof DeliveryOutcome.Poison poison) {
            var refused = intent.refused(poison.error(), clock.millis());
            return refused.attempts() >= policy.maxAttempts()
                    ? follow(refused, policy.givenUp(refused, refusedOften(refused), false))
                    : parked(intent, poison.error());
        }
        return new Step.Stop(inTrouble(intent, (DeliveryOutcome.Transient) outcome));
    }

    private DeliveryOutcome sent(Intent intent) {
        figures.sending();
        try (var span = TraceSpan.begin("deliver intent", SpanKind.PRODUCER, intent.trace())) {
            span.with("sluice.intent", intent.key())
                    .with("sluice.source", intent.sourceInstance())
                    .with("sluice.target", intent.targetInstance());
            var outcome = patiently.get(() -> delivered(intent));
            if (outcome instanceof DeliveryOutcome.Delivered done) {
                span.ended(done.now() ? "delivered" : "delivered before");
            }
            return outcome;
        } finally {
            figures.ended();
        }
    }

    private DeliveryOutcome delivered(Intent intent) {
        return memory.sending(intent, () -> outbox.deliver(intent));
    }

    private static String refusedOften(Intent intent) {
        return "refused " + intent.attempts() + " times, at last: " + intent.lastError();
    }

    /**
     * Claims the intents behind one that stops its pair: if each was claimed only when it became the first of the pair, each
     * would wait for its own claim. A claim may happen in any order; only deliveries are in order.
     *
     * @return when the next of them can be claimed
     */
    private Result claimBehind(List<Intent> behind) {
        var result = Result.NOTHING_LEFT;
        for (var intent : behind) {
            var decision = policy.decide(intent, clock.millis());
            if (decision instanceof Decision.Claim) {
                claimed(intent);
            } else if (decision instanceof Decision.Wait wait && policy.isToBeClaimed(intent)) {
                result = result.and(Result.waitsUntil(wait.untilMillis()));
            }
        }
        return result;
    }

    /** Processes that read it as pending before have the time to deliver it: our delivery then meets the document. */
    private Step claimed(Intent intent) {
        long due = policy.claimedUntil(intent, clock.millis());
        if (outbox.claim(intent, due)) {
            return new Step.Stop(Result.waitsUntil(due));
        }
        // Nothing is lost: the others deliver it.
        log(intent, "its document has no room left to claim it").log("intent left to the writers of other kinds");
        return new Step.Stop(Result.waitsUntil(clock.millis() + LEFT_ALONE_FOR.toMillis()));
    }

    private Step givenUp(Intent intent, String reason, boolean unknown) {
        var end = ended(intent, reason, unknown);
        if (end instanceof FailedIntents.GivingUp.WasDelivered) {
            return new Step.Delivered();
        }
        if (end instanceof FailedIntents.GivingUp.NotNow notNow) {
            log(intent, notNow.error()).log("intent could not be given up now");
            return new Step.Stop(Result.TROUBLE);
        }
        figures.failed();
        failedForGood.run();
        log(intent, reason).log("intent failed for good");
        return new Step.Failed();
    }

    private FailedIntents.GivingUp ended(Intent intent, String reason, boolean unknown) {
        return memory.sending(
                intent, () -> unknown ? outbox.giveUpUnknown(intent, reason) : outbox.giveUp(intent, reason));
    }

    private Result inTrouble(Intent head, DeliveryOutcome.Transient trouble) {
        figures.retried();
        log(head, trouble.error()).log("intent not delivered yet");
        return trouble.retryAfter() == null
                ? Result.TROUBLE
                : Result.troubleUntil(clock.millis() + trouble.retryAfter().toMillis());
    }

    private Step parked(Intent head, String reason) {
        long nextMillis = clock.millis() + parking.after(head.attempts() + 1).toMillis();
        if (!outbox.park(head, reason, nextMillis)) {
            // Uncounted, its tries would never end.
            var uncounted = "refused, and its document has no room left to count tries: " + reason;
            return follow(head, policy.givenUp(head, uncounted, false));
        }
        figures.parked();
        log(head, reason).log("intent parked, its pair waits");
        return new Step.Stop(Result.waitsUntil(nextMillis));
    }

    private static LoggingEventBuilder log(Intent intent, String reason) {
        return LOG.atWarn()
                .addKeyValue(LogKeys.INTENT, intent.key())
                .addKeyValue(LogKeys.TARGET, intent.targetInstance())
                .addKeyValue(LogKeys.ATTEMPTS, intent.attempts())
                .addKeyValue(LogKeys.REASON, reason);
    }
}
