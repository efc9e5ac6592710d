package io.sluice.provider.outbox;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some undelivered intents of a source: behind those of the slices before it, and before all others.
 *
 * @param intents in {@link Intent#DELIVERY_ORDER}
 * @param malformed how many more documents among them say that they are undelivered intents and can't be read
 * @param next where the next slice begins; null when this is the last
 */
public record IntentSlice(
        List<Intent> intents, int malformed, @Nullable Place next) {
    public IntentSlice {
        intents = List.copyOf(intents);
    }

    /**
     * A place in the order of delivery.
     *
     * @param createdAt of the turn before it, as the store compares numbers; of a document that keeps no rules it need not be whole
     * @param id of the intent document before it, in the middle of that turn; null behind all of the turn
     */
    public record Place(double createdAt, @Nullable String id) {}
}
