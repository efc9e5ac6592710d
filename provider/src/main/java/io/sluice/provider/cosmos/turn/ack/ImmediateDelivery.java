package io.sluice.provider.cosmos.turn.ack;

import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.threads.SideThreads;
import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Deadline;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ack's own try to deliver what it just committed: pairs side by side, within a pair in order and one at a time,
 * ending a pair at its first failure. What the store refuses is parked with this attempt counted, what is past its
 * deadline is given up untried. None is begun when half of the ack's time for them is over. Whatever is left here the
 * relay delivers, or a provider's reconciler; nothing that goes wrong concerns the ack.
 */
final class ImmediateDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(ImmediateDelivery.class);
    private static final long PARKED_FOR_MILLIS = 1_000;

    private final IntentOutbox outbox;
    private final FailedIntents failures;
    private final TurnSettings settings;
    private final InstantSource clock;
    private final SideThreads threads = new SideThreads("sluice-delivery");

    ImmediateDelivery(ContainerRequests requests, TurnSettings settings, InstantSource clock) {
        this.outbox = new IntentOutbox(requests, clock);
        this.failures = new FailedIntents(requests, clock);
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
        Round round = new Round(source, byTarget(intents));
        List<Intent> settled = new ArrayList<>();
        try {
            round.run();
            List<Intent> delivered = List.copyOf(round.delivered);
            settled.addAll(delivered);
            settled.addAll(round.failed);
            if (!delivered.isEmpty()) {
                outbox.remove(source, delivered);
            }
        } catch (ProviderException e) {
            LOG.atDebug()
                    .addKeyValue("instance", source)
                    .setCause(e)
                    .log("an ack delivered intents and could not remove them; the relay does");
        }
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
        private final String source;
        private final Queue<List<Intent>> pairs;
        private final int others;
        private final Deadline begin = Deadline.in(settings.deliveryTimeout().dividedBy(2));
        private final Deadline end = Deadline.in(settings.deliveryTimeout());
        private final Queue<Intent> delivered = new ConcurrentLinkedQueue<>();
        private final Queue<Intent> failed = new ConcurrentLinkedQueue<>();
        private volatile boolean over;

        Round(String source, Map<String, List<Intent>> byTarget) {
            this.source = source;
            this.pairs = new ConcurrentLinkedQueue<>(byTarget.values());
            this.others = Math.min(byTarget.size(), settings.pairsAtOnce()) - 1;
        }

        void run() {
            boolean ended = threads.run(this::settlePairs, others, end);
            if (!ended || over) {
                LOG.atWarn()
                        .addKeyValue("instance", source)
                        .addKeyValue("timeout", settings.deliveryTimeout())
                        .log(
                                "an ack had no more time to deliver its intents, or was interrupted; the turn is committed,"
                                        + " and the relay or a reconciler delivers the rest");
            }
        }

        private void settlePairs() {
            for (@Nullable List<Intent> pair = pairs.poll(); pair != null; pair = pairs.poll()) {
                settlePair(pair);
            }
        }

        private boolean isOver() {
            if (Thread.currentThread().isInterrupted() || begin.isOver()) {
                over = true;
            }
            return over;
        }

        private void settlePair(List<Intent> pair) {
            try {
                for (Intent intent : pair) {
                    if (isOver() || tryToSettle(intent) == IntentState.OPEN) {
                        return;
                    }
                }
            } catch (ProviderException e) {
                // A failure of one pair does not concern the others.
                LOG.atDebug()
                        .addKeyValue("target", pair.get(0).targetInstance())
                        .setCause(e)
                        .log("an ack ended the delivery to one target early; the relay delivers the rest");
            } catch (RuntimeException e) {
                LOG.atWarn()
                        .addKeyValue("target", pair.get(0).targetInstance())
                        .setCause(e)
                        .log("an ack failed to deliver to one target; the relay delivers the rest");
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
