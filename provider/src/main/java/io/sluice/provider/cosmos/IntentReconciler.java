package io.sluice.provider.cosmos;

import io.sluice.provider.document.DocumentType;
import io.sluice.provider.document.IntentStatus;
import io.sluice.provider.document.ReceiptDocument;
import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.outbox.IntentSlice;
import io.sluice.provider.request.ContainerRequests;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers what acks committed and then could not deliver, where no relay does: an ack whose own delivery failed, a
 * process that died in between, a completion for another instance. Otherwise a parent would wait for ever for a child
 * that was never started.
 *
 * <p>It settles intents by the same steps as an ack and a relay: receipt and document in one batch, a pair of source
 * and target in order and up to its first failure. So any number of providers and relays may do it at once; a source at
 * which another process is found is left to it. What
 * writers of other kinds left is theirs: only intents with keys of Sluice's form are touched, and in a mixed fleet only
 * those whose status keeps Rust's reconciler off. Used by one thread.
 */
final class IntentReconciler {
    /** The ack's own try, and another provider's, are likely over. */
    static final Duration LEFT_ALONE = Duration.ofSeconds(5);
    /** Who delivered an intent of a source so short a time ago is at the next ones. */
    private static final Duration AT_WORK = Duration.ofSeconds(5);
    /** As many tries as a relay makes by default. An outage does not count as one. */
    static final int MOST_ATTEMPTS = 10;
    /** Below the life of receipts, after which it is not known whether an intent was delivered. */
    static final Duration OLDEST = Duration.ofDays(6);

    private static final Logger LOG = LoggerFactory.getLogger(IntentReconciler.class);
    private static final Duration RECEIPTS_LIVE = Duration.ofSeconds(ReceiptDocument.TTL_SECONDS);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int REMOVED_AT_A_TIME = 100;
    private static final long FIRST_PARKING_MILLIS = 1_000;
    private static final long LONGEST_PARKING_MILLIS = 60_000;

    private final UndeliveredSources sources;
    private final IntentOutbox outbox;
    private final FailedIntents failures;
    private final boolean besideRustWriters;
    private final Consumer<Intent> delivered;
    private final InstantSource clock;

    /**
     * Reconciles through these.
     *
     * @param besideRustWriters whether somebody else delivers what is {@code pending}
     * @param delivered receives each intent that was delivered
     */
    IntentReconciler(
            ContainerRequests requests,
            IntentOutbox outbox,
            boolean besideRustWriters,
            Consumer<Intent> delivered,
            InstantSource clock) {
        this.sources = new UndeliveredSources(requests, PATIENCE, new Random());
        this.outbox = outbox;
        this.failures = new FailedIntents(requests, clock);
        this.besideRustWriters = besideRustWriters;
        this.delivered = delivered;
        this.clock = clock;
    }

    /**
     * Searches the store once. When there is nothing to do, one request to each physical partition and no query
     * plan. What can't be reached is skipped until the next round.
     *
     * @param goesOn false ends it early; asked before every delivery
     * @return how many intents it delivered
     * @throws io.sluice.provider.ProviderException when it is not known which parts the store has; nothing is lost
     */
    int reconcile(BooleanSupplier goesOn) {
        int[] count = {0};
        sources.forEach(clock.millis() - LEFT_ALONE.toMillis(), goesOn, source -> {
            Visit visit = new Visit(source, goesOn);
            try {
                return visit.run();
            } finally {
                count[0] += visit.count;
            }
        });
        if (count[0] > 0) {
            LOG.atInfo().addKeyValue("count", count[0]).log("intents that acks had left undelivered were delivered");
        }
        return count[0];
    }

    private enum Step {
        DELIVERED,
        /** A moment ago by another process, which goes on, and removes what it delivered. */
        OTHERS,
        /** Given up: the pair goes on without it. */
        FAILED,
        /** The pair goes no further in this visit. */
        STOP
    }

    /** One visit of a source. */
    private final class Visit {
        private final String source;
        private final BooleanSupplier goesOn;
        private final Set<String> stopped = new HashSet<>();
        private final List<Intent> toRemove = new ArrayList<>();
        private int count;
        private boolean isOthers;

        Visit(String source, BooleanSupplier goesOn) {
            this.source = source;
            this.goesOn = goesOn;
        }

        /** Returns false when another process delivers, or delivered, what was listed. */
        boolean run() {
            IntentSlice.@Nullable Place next = null;
            do {
                IntentSlice slice = outbox.undelivered(source, next);
                isOthers = next == null && isEmpty(slice);
                next = slice.next();
                try {
                    slice.intents().forEach(this::deliver);
                } finally {
                    remove();
                }
            } while (next != null && !isOthers && goesOn.getAsBoolean());
            return !isOthers;
        }

        private void deliver(Intent intent) {
            if (isOthers || stopped.contains(intent.targetInstance()) || !goesOn.getAsBoolean()) {
                return;
            }
            switch (settle(intent)) {
                case DELIVERED -> delivered(intent);
                case OTHERS -> isOthers = true;
                case FAILED ->
                    LOG.atWarn()
                            .addKeyValue("instance", source)
                            .addKeyValue("target", intent.targetInstance())
                            .addKeyValue("intent", intent.key())
                            .log("an intent is given up; it stays in the store as a dead letter");
                case STOP -> stopped.add(intent.targetInstance());
            }
        }

        private void delivered(Intent intent) {
            count++;
            toRemove.add(intent);
            delivered.accept(intent);
            if (toRemove.size() == REMOVED_AT_A_TIME) {
                remove();
            }
        }

        private void remove() {
            if (!toRemove.isEmpty()) {
                outbox.remove(source, List.copyOf(toRemove));
                toRemove.clear();
            }
        }
    }

    private Step settle(Intent intent) {
        long now = clock.millis();
        if (!isOurs(intent) || intent.dueAtMillis() > now) {
            return Step.STOP;
        }
        Duration age = Duration.ofMillis(now - intent.createdAtMillis());
        if (age.compareTo(RECEIPTS_LIVE) > 0) {
            return stepAfter(failures.giveUpUnknown(intent, "older than receipts are kept, " + age));
        }
        if (intent.isExpired(now)) {
            return giveUp(intent, FailedIntents.EXPIRED);
        }
        if (age.compareTo(OLDEST) > 0) {
            return giveUp(intent, "not delivered within " + OLDEST + ", but " + age + " old");
        }
        boolean[] isOthers = {false};
        DeliveryOutcome outcome =
                outbox.deliver(intent, settledAt -> isOthers[0] = now - settledAt < AT_WORK.toMillis());
        if (outcome instanceof DeliveryOutcome.Delivered) {
            return isOthers[0] ? Step.OTHERS : Step.DELIVERED;
        }
        if (outcome instanceof DeliveryOutcome.Refused refused) {
            return giveUp(intent, refused.reason());
        }
        if (outcome instanceof DeliveryOutcome.Poison poison) {
            return countRefusal(intent, poison.error(), now);
        }
        LOG.atDebug()
                .addKeyValue("intent", intent.key())
                .addKeyValue("outcome", outcome)
                .log("an intent could not be delivered and is tried again later");
        return Step.STOP;
    }

    private static boolean isEmpty(IntentSlice slice) {
        return slice.intents().isEmpty() && slice.malformed() == 0 && slice.next() == null;
    }

    private boolean isOurs(Intent intent) {
        return intent.ownForm() && (!besideRustWriters || intent.status() == IntentStatus.QUEUED);
    }

    private Step countRefusal(Intent intent, String error, long now) {
        Intent counted = intent.refused(error, now);
        long delay = Math.min(
                LONGEST_PARKING_MILLIS,
                FIRST_PARKING_MILLIS << Math.min(MOST_ATTEMPTS, Math.max(0, intent.attempts())));
        if (counted.attempts() >= MOST_ATTEMPTS || !outbox.park(intent, error, now + delay)) {
            return giveUp(counted, "refused " + counted.attempts() + " times, at last: " + error);
        }
        return Step.STOP;
    }

    private Step giveUp(Intent intent, String reason) {
        return stepAfter(failures.giveUp(intent, reason, true));
    }

    private static Step stepAfter(FailedIntents.GivingUp end) {
        if (end instanceof FailedIntents.GivingUp.WasDelivered) {
            return Step.DELIVERED;
        }
        return end instanceof FailedIntents.GivingUp.Failed ? Step.FAILED : Step.STOP;
    }

    /** Whether an orchestrator's message is what it delivers, rather than an activity. */
    static boolean isMessage(Intent intent) {
        return intent.targetDocumentType().equals(DocumentType.ORCHESTRATOR_QUEUE.wireName());
    }
}
