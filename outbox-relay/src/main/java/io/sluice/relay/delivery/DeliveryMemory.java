package io.sluice.relay.delivery;

import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentSlice;
import io.sluice.relay.ops.RelayMemory;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What large intents may take of the heap, all sources together. Small ones are bounded by the number of sources worked on at a time. Thread-safe. */
record DeliveryMemory(RelayMemory memory) {
    /** The answer of the store, its parsed form and the text that is kept. */
    private static final int COPIES_READ = 4;

    /** Parts of the largest heap this process may have. */
    static DeliveryMemory ofHeap() {
        return new DeliveryMemory(RelayMemory.ofHeap());
    }

    /** Reads and settles the slice at a place. */
    <T> T holdingSlice(IntentSlice.@Nullable Place place, Supplier<T> work) {
        return memory.intents().holding(place == null ? 0 : place.bytes() * COPIES_READ, work);
    }

    /** Sends an intent, or gives it up. */
    <T> T sending(Intent intent, Supplier<T> work) {
        return memory.sending(intent.payload().length(), work);
    }
}
