package io.sluice.relay.delivery;

import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentSlice;
import io.sluice.relay.ops.MemoryBudget;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What large intents may take of the heap, all sources together. Small ones are bounded by the number of sources worked on at a time. Thread-safe.
 *
 * @param reading for slices from before they are read until they are settled
 * @param sending for deliveries under way; apart from the others, since a slice is held meanwhile
 */
record DeliveryMemory(MemoryBudget reading, MemoryBudget sending) {
    private static final double READING_PART = 0.15;
    private static final double SENDING_PART = 0.2;
    /** The answer of the store, its parsed form and the text that is kept. */
    private static final int COPIES_READ = 4;
    /** The text, the document made of it, the batch and the body of the request. */
    private static final int COPIES_SENT = 8;
    /** Smaller ones are no matter, even if all pairs send one at a time. */
    private static final int SMALL_CHARS = 16_384;

    /** Parts of the largest heap this process may have. */
    static DeliveryMemory ofHeap() {
        return new DeliveryMemory(MemoryBudget.ofHeap(READING_PART), MemoryBudget.ofHeap(SENDING_PART));
    }

    /** Reads and settles the slice at a place. */
    <T> T holdingSlice(IntentSlice.@Nullable Place place, Supplier<T> work) {
        return reading.holding(place == null ? 0 : place.bytes() * COPIES_READ, work);
    }

    /** Sends an intent, or gives it up. */
    <T> T sending(Intent intent, Supplier<T> work) {
        int chars = intent.payload().length();
        return sending.holding(chars <= SMALL_CHARS ? 0 : (long) chars * COPIES_SENT, work);
    }
}
