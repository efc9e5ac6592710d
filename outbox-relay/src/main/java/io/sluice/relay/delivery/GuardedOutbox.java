package io.sluice.relay.delivery;

import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentSlice;
import io.sluice.relay.control.RelayMemory;
import io.sluice.relay.partition.PartitionCircuit.Answer;
import io.sluice.relay.partition.PartitionCircuits;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An outbox behind the circuits of the store's partitions and a memory budget. What is sent to a target concerns the
 * target's partition, what is read and noted at a source concerns the source's.
 */
final class GuardedOutbox implements Outbox {
    private final Outbox outbox;
    private final PartitionCircuits circuits;
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

    GuardedOutbox(Outbox outbox, PartitionCircuits circuits, RelayMemory memory, SliceListener listener) {
        this.outbox = outbox;
        this.circuits = circuits;
        this.memory = memory;
        this.listener = listener;
    }

    @Override
    public IntentSlice undelivered(String source, IntentSlice.@Nullable Place after, Collection<String> passedOver) {
        var slice = atSource(source, () -> outbox.undelivered(source, after, passedOver));
        listener.onRead(source, slice, after == null);
        return slice;
    }

    @Override
    public DeliveryOutcome deliver(Intent intent) {
        return atTarget(intent, () -> outbox.deliver(intent), GuardedOutbox::judge);
    }

    private static Answer judge(DeliveryOutcome outcome) {
        if (outcome instanceof DeliveryOutcome.Transient failure) {
            return failure.retryAfter() == null ? Answer.AWAY : Answer.THROTTLED;
        }
        return Answer.GIVEN;
    }

    @Override
    public FailedIntents.GivingUp giveUp(Intent intent, String reason) {
        return atTarget(intent, () -> outbox.giveUp(intent, reason), GuardedOutbox::judge);
    }

    @Override
    public FailedIntents.GivingUp giveUpUnknown(Intent intent, String reason) {
        // It is noted at the source alone.
        return atSource(intent.sourceInstance(), () -> outbox.giveUpUnknown(intent, reason), GuardedOutbox::judge);
    }

    private static Answer judge(FailedIntents.GivingUp end) {
        return end instanceof FailedIntents.GivingUp.NotNow ? Answer.AWAY : Answer.GIVEN;
    }

    @Override
    public void remove(String source, List<Intent> delivered) {
        atSource(source, () -> {
            outbox.remove(source, delivered);
            return true;
        });
    }

    @Override
    public boolean park(Intent intent, String error, long nextAttemptAtMillis) {
        return atSource(intent.sourceInstance(), () -> outbox.park(intent, error, nextAttemptAtMillis));
    }

    @Override
    public boolean claim(Intent intent, long deliverAfterMillis) {
        return atSource(intent.sourceInstance(), () -> outbox.claim(intent, deliverAfterMillis));
    }

    private <T> T atSource(String source, Supplier<T> request) {
        return atSource(source, request, answer -> Answer.GIVEN);
    }

    private <T> T atSource(String source, Supplier<T> request, Function<T, Answer> judge) {
        return circuits.of(source).circuit().call(request, judge);
    }

    private <T> T atTarget(Intent intent, Supplier<T> request, Function<T, Answer> judge) {
        var partition = circuits.of(intent.targetInstance());
        return partition
                .circuit()
                .call(() -> memory.sending(partition.sending(), intent.payload().length(), request), judge);
    }
}
