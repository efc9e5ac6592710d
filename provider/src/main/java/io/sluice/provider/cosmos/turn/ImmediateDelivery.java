package io.sluice.provider.cosmos.turn;

import io.sluice.provider.ProviderException;
import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The ack's own try to deliver what it just committed: pairs side by side, within a pair in order and one at a time,
 * ending a pair at its first failure. What the store refuses is parked with this attempt counted, what is past its
 * deadline is given up untried. Whatever is left here the relay delivers; nothing that goes wrong concerns the ack.
 */
final class ImmediateDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(ImmediateDelivery.class);
    private static final long PARKED_FOR_MILLIS = 1_000;

    private final IntentOutbox outbox;
    private final FailedIntents failures;
    private final TurnSettings settings;
    private final InstantSource clock;

    ImmediateDelivery(IntentOutbox outbox, FailedIntents failures, TurnSettings settings, InstantSource clock) {
        this.outbox = outbox;
        this.failures = failures;
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * Tries the intents, given in order of delivery; none where acks leave that to the relay.
     *
     * @return those that are known to be settled: delivered, or given up
     */
    List<Intent> deliver(String source, List<Intent> intents) {
        if (!settings.immediateDelivery() || intents.isEmpty()) {
            return List.of();
        }
        Round round = new Round();
        try {
            round.settle(byTarget(intents));
            if (!round.delivered.isEmpty()) {
                outbox.remove(source, List.copyOf(round.delivered));
            }
        } catch (ProviderException e) {
            LOG.atDebug()
                    .addKeyValue("instance", source)
                    .setCause(e)
                    .log("an ack ended the delivery of its intents early; the relay delivers the rest");
        }
        List<Intent> settled = new ArrayList<>(round.delivered);
        settled.addAll(round.failed);
        return settled;
    }

    private static Map<String, List<Intent>> byTarget(List<Intent> intents) {
        Map<String, List<Intent>> pairs = new LinkedHashMap<>();
        for (Intent intent : intents) {
            pairs.computeIfAbsent(intent.targetInstance(), target -> new ArrayList<>())
                    .add(intent);
        }
        return pairs;
    }

    private enum IntentState {
        /** Delivered, or given up. */
        SETTLED,
        /** Left to the relay. */
        OPEN
    }

    /** One ack's tries, and what they came to. */
    private final class Round {
        private final Queue<Intent> delivered = new ConcurrentLinkedQueue<>();
        private final Queue<Intent> failed = new ConcurrentLinkedQueue<>();

        void settle(Map<String, List<Intent>> pairs) {
            if (pairs.size() == 1 || settings.pairsAtOnce() == 1) {
                pairs.values().forEach(this::settlePair);
                return;
            }
            CompletableFuture<Void> all = Flux.fromIterable(pairs.values())
                    .flatMap(
                            pair -> Mono.fromRunnable(() -> settlePair(pair)).subscribeOn(Schedulers.boundedElastic()),
                            settings.pairsAtOnce())
                    .then()
                    .toFuture();
            try {
                all.get();
            } catch (InterruptedException e) {
                all.cancel(true);
                Thread.currentThread().interrupt();
            } catch (ExecutionException e) {
                LOG.atWarn()
                        .setCause(e.getCause())
                        .log("an ack failed to deliver its intents; the relay delivers the rest");
            }
        }

        private void settlePair(List<Intent> pair) {
            try {
                for (Intent intent : pair) {
                    if (tryToSettle(intent) == IntentState.OPEN) {
                        return;
                    }
                }
            } catch (ProviderException e) {
                // A failure of one pair does not concern the others.
                LOG.atDebug()
                        .addKeyValue("target", pair.get(0).targetInstance())
                        .setCause(e)
                        .log("an ack ended the delivery to one target early; the relay delivers the rest");
            }
        }

        private IntentState tryToSettle(Intent intent) {
            if (intent.isExpired(clock.millis())) {
                return giveUpExpired(intent);
            }
            DeliveryOutcome outcome = outbox.deliver(intent);
            if (outcome instanceof DeliveryOutcome.Delivered) {
                delivered.add(intent);
                return IntentState.SETTLED;
            }
            LOG.atDebug()
                    .addKeyValue("intent", intent.key())
                    .addKeyValue("outcome", outcome)
                    .log("an ack could not deliver an intent; the relay delivers it");
            if (outcome instanceof DeliveryOutcome.Poison poison) {
                stored(intent).ifPresent(mine -> outbox.park(mine, poison.error(), clock.millis() + PARKED_FOR_MILLIS));
            }
            return IntentState.OPEN;
        }

        private IntentState giveUpExpired(Intent intent) {
            Optional<Intent> stored = stored(intent);
            if (stored.isEmpty()) {
                return IntentState.OPEN;
            }
            FailedIntents.GivingUp end = failures.giveUp(stored.get(), FailedIntents.EXPIRED, true);
            if (end instanceof FailedIntents.GivingUp.WasDelivered) {
                delivered.add(intent);
                return IntentState.SETTLED;
            }
            if (end instanceof FailedIntents.GivingUp.Failed) {
                failed.add(intent);
                return IntentState.SETTLED;
            }
            return IntentState.OPEN;
        }

        /** What was just committed, in the version it has in the store: rare enough to ask. */
        private Optional<Intent> stored(Intent intent) {
            return outbox.undelivered(intent.sourceInstance()).stream()
                    .filter(stored -> stored.key().equals(intent.key()))
                    .findFirst();
        }
    }
}
