package io.sluice.relay.delivery;

import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentSlice;
import io.sluice.relay.control.RelayMemory;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An outbox behind a circuit breaker and a memory budget. A throttled store is not away: a throttled request is
 * repeated when the store says, and must not open the circuit for all others.
 */
final class GuardedOutbox implements Outbox {
    private final Outbox outbox;
    private final StoreCircuitBreaker circuit;
    private final RelayMemory memory;
    private final SliceListener listener;

    /** Receives every slice that is read. */
    @FunctionalInterface
    interface SliceListener {
        /**
         * A slice was read.
         *
         * @param first whether it is the first slice of a drain
         */
        void onRead(String source, IntentSlice slice, boolean first);
    }

    GuardedOutbox(Outbox outbox, StoreCircuitBreaker circuit, RelayMemory memory, SliceListener listener) {
        this.outbox = outbox;
        this.circuit = circuit;
        this.memory = memory;
        this.listener = listener;
    }

    @Override
    public IntentSlice undelivered(String source, IntentSlice.@Nullable Place after, Collection<String> passedOver) {
        var slice = circuit.call(() -> outbox.undelivered(source, after, passedOver), answer -> false);
        listener.onRead(source, slice, after == null);
        return slice;
    }

    @Override
    public DeliveryOutcome deliver(Intent intent) {
        return memory.sending(
                intent.payload().length(),
                () -> circuit.call(
                        () -> outbox.deliver(intent),
                        outcome ->
                                outcome instanceof DeliveryOutcome.Transient failure && failure.retryAfter() == null));
    }

    @Override
    public FailedIntents.GivingUp giveUp(Intent intent, String reason) {
        return memory.sending(
                intent.payload().length(),
                () -> circuit.call(
                        () -> outbox.giveUp(intent, reason), end -> end instanceof FailedIntents.GivingUp.NotNow));
    }

    @Override
    public FailedIntents.GivingUp giveUpUnknown(Intent intent, String reason) {
        return memory.sending(
                intent.payload().length(),
                () -> circuit.call(
                        () -> outbox.giveUpUnknown(intent, reason),
                        end -> end instanceof FailedIntents.GivingUp.NotNow));
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
