package io.sluice.relay.delivery;

import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentSlice;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An outbox behind a circuit. A throttled store is not away: whoever is throttled comes back when it was told to, and must not keep the others waiting.
 */
final class CircuitBreakingOutbox implements Outbox {
    private final Outbox outbox;
    private final StoreCircuitBreaker circuit;
    private final Consumer<IntentSlice> found;

    CircuitBreakingOutbox(Outbox outbox, StoreCircuitBreaker circuit) {
        this(outbox, circuit, slice -> {});
    }

    /**
     * The same, where somebody listens.
     *
     * @param found told of everything that is read
     */
    CircuitBreakingOutbox(Outbox outbox, StoreCircuitBreaker circuit, Consumer<IntentSlice> found) {
        this.outbox = outbox;
        this.circuit = circuit;
        this.found = found;
    }

    @Override
    public IntentSlice undelivered(String source, IntentSlice.@Nullable Place after, Collection<String> passedOver) {
        var slice = circuit.ask(() -> outbox.undelivered(source, after, passedOver), answer -> false);
        found.accept(slice);
        return slice;
    }

    @Override
    public DeliveryOutcome deliver(Intent intent) {
        return circuit.ask(
                () -> outbox.deliver(intent),
                outcome -> outcome instanceof DeliveryOutcome.Transient trouble && trouble.retryAfter() == null);
    }

    @Override
    public FailedIntents.GivingUp giveUp(Intent intent, String reason) {
        return circuit.ask(() -> outbox.giveUp(intent, reason), end -> end instanceof FailedIntents.GivingUp.NotNow);
    }

    @Override
    public FailedIntents.GivingUp giveUpUnknown(Intent intent, String reason) {
        return circuit.ask(
                () -> outbox.giveUpUnknown(intent, reason), end -> end instanceof FailedIntents.GivingUp.NotNow);
    }

    @Override
    public void remove(String source, List<Intent> delivered) {
        outbox.remove(source, delivered);
    }

    @Override
    public boolean park(Intent intent, String error, long nextAttemptAtMillis) {
        return outbox.park(intent, error, nextAttemptAtMillis);
    }

    @Override
    public boolean claim(Intent intent, long deliverAfterMillis) {
        return outbox.claim(intent, deliverAfterMillis);
    }
}
