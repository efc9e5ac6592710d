package io.sluice.relay.delivery;

import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.outbox.IntentSlice;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The intents of the store, as delivery needs them: {@link IntentOutbox} and {@link FailedIntents} behind an interface of ours. */
interface Outbox {
    /** Behind a place, or from the beginning on. */
    IntentSlice undelivered(String source, IntentSlice.@Nullable Place after, Collection<String> passedOver);

    DeliveryOutcome deliver(Intent intent);

    void remove(String source, List<Intent> delivered);

    /** False when its document has no room left for the note, so that its tries can't be counted. */
    boolean park(Intent intent, String error, long nextAttemptAtMillis);

    /** Takes an intent away from writers of other kinds, which deliver without a receipt; it is due then. False when its document has no room left for that. */
    boolean claim(Intent intent, long deliverAfterMillis);

    FailedIntents.GivingUp giveUp(Intent intent, String reason);

    FailedIntents.GivingUp giveUpUnknown(Intent intent, String reason);

    /** Hears of documents that say they are intents and can't be read. */
    interface Malformed {
        /**
         * So many were met.
         *
         * @param first whether they are the first of a look at the source, rather than more of it
         */
        void met(String source, int count, boolean first);
    }

    /**
     * That of a store.
     *
     * @param answerSources whether sources of sub-orchestrations are told when a start failed for good
     */
    static Outbox of(IntentOutbox outbox, FailedIntents failures, boolean answerSources, Malformed malformed) {
        return new Outbox() {
            @Override
            public IntentSlice undelivered(
                    String source, IntentSlice.@Nullable Place after, Collection<String> passedOver) {
                var slice = outbox.undelivered(source, after, passedOver);
                malformed.met(source, slice.malformed(), after == null);
                return slice;
            }

            @Override
            public DeliveryOutcome deliver(Intent intent) {
                return outbox.deliver(intent);
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

            @Override
            public FailedIntents.GivingUp giveUp(Intent intent, String reason) {
                return failures.giveUp(intent, reason, answerSources);
            }

            @Override
            public FailedIntents.GivingUp giveUpUnknown(Intent intent, String reason) {
                return failures.giveUpUnknown(intent, reason);
            }
        };
    }
}
