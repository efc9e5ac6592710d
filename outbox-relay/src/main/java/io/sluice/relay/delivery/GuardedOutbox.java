package io.sluice.relay.delivery;

import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentSlice;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An outbox behind a circuit. A throttled store is not away: whoever is throttled comes back when it was told to, and must not keep the others waiting.
 */
final class GuardedOutbox implements Outbox {
    private final Outbox outbox;
    private final Circuit circuit;

    GuardedOutbox(Outbox outbox, Circuit circuit) {
        this.outbox = outbox;
        this.circuit = circuit;
    }

    @Override
    public IntentSlice undelivered(String source, IntentSlice.@Nullable Place after, Collection<String> passedOver) {
        return circuit.ask(() -> outbox.undelivered(source, after, passedOver), answer -> false);
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
