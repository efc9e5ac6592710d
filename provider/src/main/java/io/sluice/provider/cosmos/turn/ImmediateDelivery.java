package io.sluice.provider.cosmos.turn;

import io.sluice.provider.ProviderException;
import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The ack's own try to deliver what it just committed: pairs side by side, within a pair in order and one at a time, ending a pair at its first
 * failure. Whatever is left here the relay delivers; nothing that goes wrong concerns the ack.
 */
final class ImmediateDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(ImmediateDelivery.class);
    private static final int PAIRS_AT_ONCE = 8;

    private final IntentOutbox outbox;

    ImmediateDelivery(IntentOutbox outbox) {
        this.outbox = outbox;
    }

    /**
     * Tries the intents, given in order of delivery.
     *
     * @return those that are known to be delivered
     */
    List<Intent> deliver(String source, List<Intent> intents) {
        List<Intent> delivered = new ArrayList<>();
        try {
            delivered.addAll(deliverPairs(byTarget(intents)));
            if (!delivered.isEmpty()) {
                outbox.remove(source, delivered);
            }
        } catch (ProviderException e) {
            LOG.atDebug()
                    .addKeyValue("instance", source)
                    .setCause(e)
                    .log("own delivery ended early, the relay goes on");
        }
        return delivered;
    }

    private List<Intent> deliverPairs(Map<String, List<Intent>> pairs) {
        if (pairs.size() == 1) {
            return deliverPair(pairs.values().iterator().next());
        }
        CompletableFuture<List<Intent>> all = Flux.fromIterable(pairs.values())
                .flatMap(
                        pair -> Mono.fromCallable(() -> deliverPair(pair)).subscribeOn(Schedulers.boundedElastic()),
                        PAIRS_AT_ONCE)
                .flatMapIterable(delivered -> delivered)
                .collectList()
                .toFuture();
        try {
            return all.get();
        } catch (InterruptedException e) {
            all.cancel(true);
            Thread.currentThread().interrupt();
            return List.of();
        } catch (ExecutionException e) {
            LOG.atWarn().setCause(e.getCause()).log("own delivery failed, the relay goes on");
            return List.of();
        }
    }

    private List<Intent> deliverPair(List<Intent> pair) {
        List<Intent> delivered = new ArrayList<>();
        for (Intent intent : pair) {
            DeliveryOutcome outcome = outbox.deliver(intent);
            if (!(outcome instanceof DeliveryOutcome.Delivered)) {
                LOG.atDebug()
                        .addKeyValue("intent", intent.key())
                        .addKeyValue("outcome", outcome)
                        .log("not delivered at once, left to the relay");
                break;
            }
            delivered.add(intent);
        }
        return delivered;
    }

    private static Map<String, List<Intent>> byTarget(List<Intent> intents) {
        Map<String, List<Intent>> pairs = new LinkedHashMap<>();
        for (Intent intent : intents) {
            pairs.computeIfAbsent(intent.targetInstance(), target -> new ArrayList<>())
                    .add(intent);
        }
        return pairs;
    }
}
