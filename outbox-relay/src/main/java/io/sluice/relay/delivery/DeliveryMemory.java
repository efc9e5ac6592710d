package io.sluice.relay.delivery;

import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentSlice;
import io.sluice.relay.control.RelayMemory;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The budget of heap for large intents of all sources. Small ones are bounded by the number of sources drained at a
 * time. Thread-safe.
 */
record DeliveryMemory(RelayMemory memory) {
    /** The answer of the store, its parsed form and the text that is kept. */
    private static final int COPIES_READ = 4;

    /** Budgets as parts of the maximal heap of this process. */
    static DeliveryMemory ofHeap() {
        return new DeliveryMemory(RelayMemory.ofHeap());
    }

    /** Reads and handles the slice at a place within the budget. */
    <T> T holdingSlice(IntentSlice.@Nullable Place place, Supplier<T> work) {
        return memory.intents().holding(place == null ? 0 : place.bytes() * COPIES_READ, work);
    }

    /** Sends an intent, or gives it up, within the budget. */
    <T> T sending(Intent intent, Supplier<T> work) {
        return memory.sending(intent.payload().length(), work);
    }
}
