package io.sluice.relay.delivery;

import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentSlice;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operations on intents that delivery needs: {@link StoreOutbox} does them on the store, a fake does them in tests.
 */
public interface Outbox {
    /**
     * Reads a slice of a source's undelivered intents.
     *
     * @param after where the slice begins; null for the first one
     * @param passedOver targets whose intents are left out
     */
    IntentSlice undelivered(String source, IntentSlice.@Nullable Place after, Collection<String> passedOver);

    DeliveryOutcome deliver(Intent intent);

    void remove(String source, List<Intent> delivered);

    /**
     * Notes a failed try and the time of the next one.
     *
     * @return false when the document has no room left for the note, so that tries can't be counted
     */
    boolean park(Intent intent, String error, long nextAttemptAtMillis);

    /**
     * Takes an intent away from writers of other kinds, which deliver without a receipt.
     *
     * @param deliverAfterMillis when it is due then
     * @return false when its document has no room left for the claim
     */
    boolean claim(Intent intent, long deliverAfterMillis);

    FailedIntents.GivingUp giveUp(Intent intent, String reason);

    /** Gives up an intent for which it can't be known whether it was delivered. */
    FailedIntents.GivingUp giveUpUnknown(Intent intent, String reason);
}
