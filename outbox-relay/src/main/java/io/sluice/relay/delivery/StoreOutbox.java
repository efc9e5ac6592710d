package io.sluice.relay.delivery;

import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.outbox.IntentSlice;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The intents of a store. Thread-safe. */
public final class StoreOutbox implements Outbox {
    private final IntentOutbox intents;
    private final FailedIntents failures;
    private final boolean answerSources;

    /** @param answerSources whether sources of sub-orchestrations get an answer when a start failed permanently */
    public StoreOutbox(IntentOutbox intents, FailedIntents failures, boolean answerSources) {
        this.intents = intents;
        this.failures = failures;
        this.answerSources = answerSources;
    }

    @Override
    public IntentSlice undelivered(String source, IntentSlice.@Nullable Place after, Collection<String> passedOver) {
        return intents.undelivered(source, after, passedOver);
    }

    @Override
    public DeliveryOutcome deliver(Intent intent) {
        return intents.deliver(intent);
    }

    @Override
    public void remove(String source, List<Intent> delivered) {
        intents.remove(source, delivered);
    }

    @Override
    public boolean park(Intent intent, String error, long nextAttemptAtMillis) {
        return intents.park(intent, error, nextAttemptAtMillis);
    }

    @Override
    public boolean claim(Intent intent, long deliverAfterMillis) {
        return intents.claim(intent, deliverAfterMillis);
    }

    @Override
    public FailedIntents.GivingUp giveUp(Intent intent, String reason) {
        return failures.giveUp(intent, reason, answerSources);
    }

    @Override
    public FailedIntents.GivingUp giveUpUnknown(Intent intent, String reason) {
        return failures.giveUpUnknown(intent, reason);
    }
}
